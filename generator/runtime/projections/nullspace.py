"""Null-space projection: dependent coordinates are corrected, independent ones kept.

``H_d dq_d = -phi`` until ``phi = 0``, then ``H_d dv_d = -phi_dot``. Terze chooses the partition by
the angles between coordinates and constraints; here it is given by the pivots of
`mbdgen.runtime.linalg.gauss_elimination`.
"""

from mbdgen.runtime.linalg.pivot_reuse import SMALL
from mbdgen.runtime.projections.base import Projector
from mbdgen.runtime.solvers.coordinate_partition import change_dependent
from mbdgen.runtime.solvers.dense_workspace import DenseWorkspace
from mbdgen.runtime.solvers.scheme_functions import eliminates
from mbdgen.runtime.system.run_workspace import RunWorkspace


@eliminates
def change(work: RunWorkspace, dense: DenseWorkspace) -> int:
    """``x <- [H_d^-1 c; 0]``."""
    return change_dependent(work, dense, SMALL)


PROJECTOR = Projector(
    name="nullspace",
    text="dependent coordinates and velocities are corrected, independent ones kept",
    source="Z. Terze, J. Naudet: Geometric properties of projective constraint violation "
    "stabilization method for generally constrained multibody systems on manifolds, "
    "Multibody Syst. Dyn. 20 (2008) 85-106.",
    change=change,
)
