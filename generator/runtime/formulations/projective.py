"""Blajer's projective formulation: tangent and orthogonal subspaces in the mass metric.

``a = N Z^T f + (1 - N Z^T M) a_c`` with ``Z^T M N = 1`` and any ``a_c`` with ``H a_c = gamma``: the
first part is tangent; the second, which the constraints determine, is orthogonal to all tangent
directions. The two bases are made orthonormal to each other by Gram-Schmidt's process
in that metric. This needs no ``M^-1``: bodies may lack inertia as long as no motion does.
"""

import numpy as np

from mbdgen.runtime.formulations.base import Formulation
from mbdgen.runtime.linalg.gram_schmidt import by_gram_schmidt
from mbdgen.runtime.linalg.orthonormal_bases import eliminator
from mbdgen.runtime.program.compiled_functions import internal
from mbdgen.runtime.solvers.dense_workspace import DenseWorkspace
from mbdgen.runtime.solvers.equation_blocks import Blocks
from mbdgen.runtime.solvers.scheme_functions import eliminates
from mbdgen.runtime.system.run_workspace import OK, SINGULAR_TANGENT, RunWorkspace
from mbdgen.runtime.system.system_data import FloatArray


@internal
def _largest_product(products: FloatArray, k: int) -> tuple[int, int]:
    """Return row and column of the largest entry from row and column ``k`` on."""
    row, column, top = -1, -1, 0.0
    for i in range(k, products.shape[0]):
        for j in range(k, products.shape[1]):
            if abs(products[i, j]) > top:
                row, column, top = i, j, abs(products[i, j])
    return row, column


@internal
def _swap(table: FloatArray, i: int, j: int) -> None:
    for k in range(table.shape[1]):
        table[i, k], table[j, k] = table[j, k], table[i, k]


@internal
def orthonormalise_in(metric: FloatArray, across: FloatArray, along: FloatArray) -> int:
    """Change both bases, of as many rows, until ``Z^T metric N = 1``."""
    for k in range(along.shape[0]):
        products = (across @ metric) @ along.T
        row, column = _largest_product(products, k)
        if row < 0:
            return SINGULAR_TANGENT
        _swap(across, k, row)
        _swap(along, k, column)
        products = (across @ metric) @ along.T
        for j in range(along.shape[1]):
            along[k, j] /= products[k, k]
        for i in range(k + 1, along.shape[0]):
            for j in range(along.shape[1]):
                along[i, j] -= products[k, i] * along[k, j]
            for j in range(across.shape[1]):
                across[i, j] -= products[i, k] / products[k, k] * across[k, j]
    return OK


@internal
def _move_tangentially(blocks: Blocks, along: FloatArray, across: FloatArray, x: FloatArray) -> int:
    """``x += N Z^T (f - A x)`` with ``Z^T A N = 1``: with ``A`` for ``M`` also in iterations."""
    status = orthonormalise_in(blocks.A, across, along)
    if status != OK:
        return status
    x += (across @ (blocks.f - blocks.A @ x)) @ along
    return OK if np.isfinite(x).all() else SINGULAR_TANGENT


_eliminate = eliminator(by_gram_schmidt, _move_tangentially)


@eliminates
def eliminate(work: RunWorkspace, dense: DenseWorkspace) -> int:
    """See `mbdgen.runtime.linalg.orthonormal_bases.eliminator`."""
    return int(_eliminate(work, dense))


FORMULATION = Formulation(
    name="projective",
    text="accelerations tangent and orthogonal to the constraints in the metric of mass",
    source="W. Blajer: A geometric unification of constrained system dynamics, "
    "Multibody Syst. Dyn. 1 (1997) 3-21.",
    weights=lambda values: (0.0, 0.0, 1.0, 0.0),
    eliminate=eliminate,
)
