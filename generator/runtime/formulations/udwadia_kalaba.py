"""Udwadia-Kalaba equations: explicit accelerations by pseudo-inverses of known rank.

``M a = f + M^{1/2} (H M^{-1/2})^+ (gamma - H M^-1 f)`` needs a regular ``M``, which rods without
thickness and rows in virtual displacements do not provide. The form of Udwadia and Phohomsiri also
admits singular ``M``: ``a = [(1 - G^+ G) M; H]^+ [(1 - G^+ G) f; gamma]``. Redundant constraints
are allowed.

After Udwadia and Kalaba (1992).
"""

import numpy as np

from mbdgen.runtime.formulations.base import Formulation
from mbdgen.runtime.linalg.householder import by_householder
from mbdgen.runtime.linalg.orthonormal_bases import multipliers_of, products_by, smallest_solution
from mbdgen.runtime.linalg.pivot_reuse import no_pivots
from mbdgen.runtime.linalg.svd import by_svd
from mbdgen.runtime.solvers.dense_workspace import DenseWorkspace
from mbdgen.runtime.solvers.equation_blocks import write_solution
from mbdgen.runtime.solvers.scheme_functions import eliminates
from mbdgen.runtime.system.run_workspace import OK, RunWorkspace

_products = products_by(by_svd)


@eliminates
def eliminate(work: RunWorkspace, dense: DenseWorkspace) -> int:
    """``x = [P A; V]^+ [P f; V H^+ c]``, ``P = 1 - G^+ G``, ``V`` a basis of the rows of ``H``.

    ``V x = V H^+ c`` is equivalent to ``H x = c``, with known rank.
    """
    status, blocks, of_h, of_g = _products(work, dense)
    if status != OK:
        return int(status)
    n_u, n_q = blocks.A.shape
    rank = of_h.R.shape[0]
    free, bound = of_g.basis[of_g.R.shape[0] :], of_h.basis[:rank]
    projection = free.T.copy() @ free
    stacked, wanted = np.empty((n_u + rank, n_q)), np.empty(n_u + rank)
    stacked[:n_u], wanted[:n_u] = projection @ blocks.A, projection @ blocks.f
    stacked[n_u:], wanted[n_u:] = bound, bound @ smallest_solution(of_h, blocks.c)
    status, all_of_it = by_householder(stacked, n_q, no_pivots(n_u + rank, n_q))
    if status == OK:
        x = smallest_solution(all_of_it, wanted)
        write_solution(dense, x, multipliers_of(of_g, blocks.A @ x - blocks.f))
    return int(status)


FORMULATION = Formulation(
    name="udwadia-kalaba",
    text="accelerations by pseudo-inverses; dependent constraints and singular masses allowed",
    source="F. E. Udwadia, R. E. Kalaba: A new perspective on constrained motion, Proc. R. Soc. "
    "Lond. A 439 (1992) 407-410; F. E. Udwadia, P. Phohomsiri: Explicit equations of motion for "
    "constrained mechanical systems with singular mass matrices, Proc. R. Soc. A 462 (2006) "
    "2097-2117.",
    weights=lambda values: (0.0, 0.0, 1.0, 0.0),
    eliminate=eliminate,
)
