"""Null-space method by Gram-Schmidt orthogonalisation of the constraint Jacobian.

``[N^T M; H] a = [N^T f; gamma]``: unit vectors, made orthogonal to the rows and to each other.
"""

from mbdgen.runtime.formulations.base import Formulation
from mbdgen.runtime.linalg.gram_schmidt import by_gram_schmidt
from mbdgen.runtime.linalg.orthonormal_bases import eliminator
from mbdgen.runtime.solvers.dense_workspace import DenseWorkspace
from mbdgen.runtime.solvers.scheme_functions import eliminates
from mbdgen.runtime.system.run_workspace import RunWorkspace

_eliminate = eliminator(by_gram_schmidt)


@eliminates
def eliminate(work: RunWorkspace, dense: DenseWorkspace) -> int:
    """See `mbdgen.runtime.linalg.orthonormal_bases.eliminator`."""
    return int(_eliminate(work, dense))


FORMULATION = Formulation(
    name="nullspace-gs",
    text="reactions eliminated by a null space from Gram-Schmidt's process",
    source="C. G. Liang, G. M. Lance: A differentiable null space method for constrained dynamic "
    "analysis, J. Mech. Trans. Autom. Des. 109 (1987) 405-411.",
    weights=lambda values: (0.0, 0.0, 1.0, 0.0),
    eliminate=eliminate,
)
