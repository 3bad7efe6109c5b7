"""Geometric projection: the smallest change of the coordinates (Yoon).

``dq = -H^T (H H^T)^+ phi`` until ``phi = 0``, then ``dv = -H^T (H H^T)^+ phi_dot``. Lengths and
components of quaternions have equal weights: the result depends on the unit of length.
"""

from mbdgen.runtime.linalg.householder import by_householder
from mbdgen.runtime.linalg.orthonormal_bases import constraints_by, smallest_solution
from mbdgen.runtime.projections.base import Projector
from mbdgen.runtime.solvers.dense_workspace import DenseWorkspace
from mbdgen.runtime.solvers.equation_blocks import write_solution
from mbdgen.runtime.solvers.scheme_functions import eliminates
from mbdgen.runtime.system.run_workspace import OK, RunWorkspace

_constraints = constraints_by(by_householder)


@eliminates
def change(work: RunWorkspace, dense: DenseWorkspace) -> int:
    """``x <- H^+ c``, with known rank of ``H``."""
    status, of_h, c = _constraints(work, dense)
    if status == OK:
        write_solution(dense, smallest_solution(of_h, c), work.eps[:0])
    return int(status)


PROJECTOR = Projector(
    name="geometric",
    text="smallest change of coordinates and velocities",
    source="S. Yoon, R. M. Howe, D. T. Greenwood: Geometric elimination of constraint violations "
    "in numerical simulation of Lagrangian equations, J. Mech. Des. 116 (1994) 1058-1064.",
    change=change,
)
