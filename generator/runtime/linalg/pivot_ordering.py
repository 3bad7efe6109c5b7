"""Pivot ordering of a sparse matrix and the pattern of its factors (symbolic analysis).

The slow phase of the linear solver: it runs once per pattern (and again on a re-pivot), so it may
use SciPy and allocate. Values serve the choice of pivots only: the pattern of the factors follows
from the structure alone, so it holds for all later values.

Two steps: `mbdgen.runtime.linalg.markowitz` chooses the pivots of least fill-in, and `postorder`
makes subtrees of the elimination tree contiguous: a mechanism is then eliminated body after body,
from the leaves to the root, with data of one column close in memory.
"""

import logging
from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp

from mbdgen.runtime.linalg.elimination_tree import distances, postorder, symmetric_pattern
from mbdgen.runtime.linalg.equilibration import SingularMatrixError
from mbdgen.runtime.linalg.factor_storage import products
from mbdgen.runtime.linalg.markowitz import markowitz
from mbdgen.runtime.linalg.symbolic_factorisation import fill_pattern
from mbdgen.runtime.system.system_data import FloatArray, IntArray

LOG = logging.getLogger("mbdgen.runtime.linalg.pivot_ordering")

# A pivot may be ten times smaller than the largest entry of its row or column (threshold pivoting):
# a factor of ten in growth is the usual price of the freedom to reduce fill-in.
PIVOT_THRESHOLD = 0.1


@dataclass(frozen=True)
class PivotOrdering:
    """Order of elimination and the pattern of ``A[rows, columns] = L U``.

    Attributes
    ----------
    rows, columns : array of int
        Rows and columns of ``A`` in the order of elimination.
    l_ptr, l_row : array of int
        Pattern of ``L`` below the diagonal by columns, sorted, in the order of elimination.
    u_ptr, u_row : array of int
        Pattern of ``U`` above the diagonal, in the same order.
    """

    rows: IntArray
    columns: IntArray
    l_ptr: IntArray
    l_row: IntArray
    u_ptr: IntArray
    u_row: IntArray

    @property
    def fill(self) -> int:
        """Number of entries of ``L`` and ``U`` off the diagonal (fill-in included)."""
        return self.l_row.size + self.u_row.size

    @property
    def products(self) -> int:
        """Number of multiplications of one numeric factorisation."""
        return products(self.l_ptr, self.l_row, self.u_row)


def choose_elimination(
    matrix: sp.csc_array, row_scale: FloatArray, column_scale: FloatArray
) -> PivotOrdering:
    """Choose pivots and their order, and find the pattern of the factors.

    Two orderings are tried, Markowitz on the whole matrix, and by levels, farthest first from the
    node with most neighbours (stars suit the one, chains the other), and the cheaper one is taken.

    Parameters
    ----------
    matrix : csc_array
        The matrix with every entry of its pattern stored, even where it is zero.
    row_scale, column_scale : array
        Its equilibration.
    """
    n = matrix.shape[0]
    scaled = matrix.copy()
    by_column = np.repeat(column_scale, np.diff(matrix.indptr))
    scaled.data = matrix.data * row_scale[matrix.indices] * by_column
    everywhere = np.zeros(n, np.int64)
    far_first = distances(*symmetric_pattern(matrix.indptr, matrix.indices))
    candidates = [_eliminate(scaled, level) for level in (everywhere, far_first)]
    best = min(candidates, key=lambda candidate: candidate.products)
    LOG.debug(
        "n=%d, %d entries, %d in the factors, %d multiplications",
        n,
        matrix.nnz,
        best.fill,
        best.products,
    )
    return best


def _eliminate(scaled: sp.csc_array, level: IntArray) -> PivotOrdering:
    """Choose pivots level by level, then find the pattern of the factors by its postordering."""
    n = scaled.shape[0]
    indptr, indices = scaled.indptr.astype(np.int64), scaled.indices.astype(np.int64)
    rows, columns = markowitz(indptr, indices, scaled.data, PIVOT_THRESHOLD, level)
    if rows.size < n:
        row = int(np.setdiff1d(np.arange(n), rows)[0])
        column = int(np.setdiff1d(np.arange(n), columns)[0])
        raise SingularMatrixError(f"no pivot is left for row {row}", row, column)
    order = postorder(*_permuted(scaled, rows, columns))
    rows, columns = rows[order], columns[order]
    l_ptr, l_row, u_ptr, u_row = fill_pattern(*_permuted(scaled, rows, columns))
    return PivotOrdering(
        rows, columns, l_ptr, _sorted_rows(l_ptr, l_row), u_ptr, _sorted_rows(u_ptr, u_row)
    )


def _permuted(matrix: sp.csc_array, rows: IntArray, columns: IntArray) -> tuple[IntArray, IntArray]:
    """Return the pattern of ``A[rows, columns]``, columns unsorted."""
    rank = np.empty(rows.size, np.int64)
    rank[rows] = np.arange(rows.size)
    permuted = matrix[:, columns]
    return permuted.indptr.astype(np.int64), rank[permuted.indices]


def _sorted_rows(ptr: IntArray, row: IntArray) -> IntArray:
    """Sort the rows within each column: ascending order is an order of elimination."""
    n = ptr.size - 1
    matrix = sp.csc_array((np.ones(row.size, np.int8), row, ptr), shape=(n, n))
    matrix.sort_indices()
    return matrix.indices.astype(np.int64)
