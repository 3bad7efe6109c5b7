"""Null-space method by singular value decomposition (SVD).

``[N^T M; H] a = [N^T f; gamma]``: N are the right singular vectors of zero singular values. The
most robust of the bases, and the most expensive.

After Mani, Haug and Atkinson (1985).
"""

from mbdgen.runtime.formulations.base import Formulation
from mbdgen.runtime.linalg.orthonormal_bases import eliminator
from mbdgen.runtime.linalg.svd import by_svd
from mbdgen.runtime.solvers.dense_workspace import DenseWorkspace
from mbdgen.runtime.solvers.scheme_functions import eliminates
from mbdgen.runtime.system.run_workspace import RunWorkspace

_eliminate = eliminator(by_svd)


@eliminates
def eliminate(work: RunWorkspace, dense: DenseWorkspace) -> int:
    """See `mbdgen.runtime.linalg.orthonormal_bases.eliminator`."""
    return int(_eliminate(work, dense))


FORMULATION = Formulation(
    name="nullspace-svd",
    text="reactions eliminated by a null space from singular values",
    source="R. P. Singh, P. W. Likins: Singular value decomposition for constrained dynamical "
    "systems, J. Appl. Mech. 52 (1985) 943-948.",
    weights=lambda values: (0.0, 0.0, 1.0, 0.0),
    eliminate=eliminate,
)
