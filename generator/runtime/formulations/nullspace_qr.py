"""Null space by Householder's QR of the transposed Jacobian, with pivots (D-83, D-87).

``[N^T M; H] a = [N^T f; gamma]``: the last columns of ``Q`` in ``H^T = Q [R; 0]``.
"""

from mbdgen.runtime.dense.basis import eliminator
from mbdgen.runtime.dense.householder import by_householder
from mbdgen.runtime.dense.parts import eliminates
from mbdgen.runtime.dense.room import Dense
from mbdgen.runtime.formulations.base import Formulation
from mbdgen.runtime.work import Work

_eliminate = eliminator(by_householder)


@eliminates
def by_qr(work: Work, dense: Dense) -> int:
    """See `mbdgen.runtime.dense.basis.eliminator`."""
    return int(_eliminate(work, dense))


FORMULATION = Formulation(
    name="nullspace-qr",
    text="reactions eliminated by a null space from QR",
    source="S. S. Kim, M. J. Vanderploeg: QR decomposition for state space representation of "
    "constrained mechanical dynamic systems, J. Mech. Trans. Autom. Des. 108 (1986) 183-188.",
    weights=lambda values: (0.0, 0.0, 1.0, 0.0),
    eliminate=by_qr,
)
