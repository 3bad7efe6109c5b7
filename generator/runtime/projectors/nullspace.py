"""Null-space projection: dependent coordinates are corrected, independent ones kept.

``H_d dq_d = -phi`` until ``phi = 0``, then ``H_d dv_d = -phi_dot``. Terze chooses the partition by
the angles between coordinates and constraints; here the pivots of `mbdgen.runtime.dense.gauss` do.
"""

from mbdgen.runtime.dense.kept import SMALL
from mbdgen.runtime.dense.partition import change_dependent
from mbdgen.runtime.dense.parts import eliminates
from mbdgen.runtime.dense.room import Dense
from mbdgen.runtime.projectors.base import Projector
from mbdgen.runtime.work import Work


@eliminates
def change(work: Work, dense: Dense) -> int:
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
