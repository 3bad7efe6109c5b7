"""Geometric projection: the smallest change of the coordinates (Yoon).

``dq = -H^T (H H^T)^+ phi`` until ``phi = 0``, then ``dv = -H^T (H H^T)^+ phi_dot``. Lengths and
components of quaternions count alike: what is smallest depends on the unit of length.
"""

from mbdgen.runtime.dense.basis import constraints_by, smallest_solution
from mbdgen.runtime.dense.blocks import write_solution
from mbdgen.runtime.dense.householder import by_householder
from mbdgen.runtime.dense.parts import eliminates
from mbdgen.runtime.dense.room import Dense
from mbdgen.runtime.projectors.base import Projector
from mbdgen.runtime.work import OK, Work

_constraints = constraints_by(by_householder)


@eliminates
def change(work: Work, dense: Dense) -> int:
    """``x <- H^+ c``, with the rank of ``H`` that is known."""
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
