"""Null space by Gram-Schmidt's process on the rows of the Jacobian.

``[N^T M; H] a = [N^T f; gamma]``: unit vectors, made orthogonal to the rows and to each other.
"""

from mbdgen.runtime.dense.basis import eliminator
from mbdgen.runtime.dense.gram_schmidt import by_gram_schmidt
from mbdgen.runtime.dense.parts import eliminates
from mbdgen.runtime.dense.room import Dense
from mbdgen.runtime.formulations.base import Formulation
from mbdgen.runtime.work import Work

_eliminate = eliminator(by_gram_schmidt)


@eliminates
def eliminate(work: Work, dense: Dense) -> int:
    """See `mbdgen.runtime.dense.basis.eliminator`."""
    return int(_eliminate(work, dense))


FORMULATION = Formulation(
    name="nullspace-gs",
    text="reactions eliminated by a null space from Gram-Schmidt's process",
    source="C. G. Liang, G. M. Lance: A differentiable null space method for constrained dynamic "
    "analysis, J. Mech. Trans. Autom. Des. 109 (1987) 405-411.",
    weights=lambda values: (0.0, 0.0, 1.0, 0.0),
    eliminate=eliminate,
)
