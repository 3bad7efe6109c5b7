"""Null-space method by Householder QR of the transposed constraint Jacobian, with pivoting.

``[N^T M; H] a = [N^T f; gamma]``: the last columns of ``Q`` in ``H^T = Q [R; 0]``.

After Kim and Vanderploeg (1986).
"""

from mbdgen.runtime.formulations.base import Formulation
from mbdgen.runtime.solvers.rank_revealing_solve import by_rank

FORMULATION = Formulation(
    name="nullspace-qr",
    text="reactions eliminated by a null space from QR",
    source="S. S. Kim, M. J. Vanderploeg: QR decomposition for state space representation of "
    "constrained mechanical dynamic systems, J. Mech. Trans. Autom. Des. 108 (1986) 183-188.",
    weights=lambda values: (0.0, 0.0, 1.0, 0.0),
    eliminate=by_rank,
)
