"""Choice of the pivots of a sparse matrix and the pattern of its factors.

This is the slow half of the linear solver: it runs once per pattern (and again on a re-pivot), so
it may use SciPy and allocate. The numbers serve to choose good pivots, nothing else: the pattern
of the factors is found from the structure alone, so it holds for every later set of values.
"""

import logging
from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp
from numba import njit, types
from scipy.sparse.linalg import splu

from mbdgen.runtime.compiled import internal
from mbdgen.runtime.data import FloatArray, IntArray

LOG = logging.getLogger("mbdgen.runtime.ordering")

_INTS = types.int64[::1]

# An off-diagonal pivot is taken when it is ten times larger: the usual price of a factor of ten in
# growth for the freedom to follow the ordering, and with it the sparsity.
PIVOT_THRESHOLD = 0.1
# SuperLU's minimum degree orderings have no bound on their work. On A + A^T minimum degree knows
# nothing of the exchanges that the zero diagonal of a constraint enforces: [M] 40 times the fill of
# COLAMD on a tree of 1000 bodies, but a third of its multiplications on a mesh without constraints.
SYMMETRIC_LIMIT = 2000
SMALL_DIAGONALS = 0.02
# On A^T A one full row (a body with hundreds of joints) is enough to make the product full.
PRODUCT_LIMIT = 200


class SingularMatrixError(ArithmeticError):
    """The matrix has no inverse in double precision.

    Attributes
    ----------
    row, column : int
        Where the smallest pivot was found in the given matrix, -1 if unknown.
    """

    def __init__(self, message: str, row: int = -1, column: int = -1) -> None:
        super().__init__(message)
        self.row = row
        self.column = column


@dataclass(frozen=True)
class Elimination:
    """The order of elimination and the pattern of ``A[rows, columns] = L U``.

    Attributes
    ----------
    rows, columns : array of int
        Row and column of ``A`` that are eliminated first, second, ...
    l_ptr, l_row : array of int
        Pattern of ``L`` below the diagonal by columns, sorted, in the order of elimination.
    u_ptr, u_row : array of int
        Pattern of ``U`` above the diagonal, likewise.
    """

    rows: IntArray
    columns: IntArray
    l_ptr: IntArray
    l_row: IntArray
    u_ptr: IntArray
    u_row: IntArray

    @property
    def products(self) -> int:
        """Number of multiplications of one numeric factorisation."""
        return int(np.diff(self.l_ptr)[self.u_row].sum()) + self.l_row.size


def equilibrate(matrix: sp.csc_array, sweeps: int = 4) -> tuple[FloatArray, FloatArray]:
    """Find ``r`` and ``c`` such that the largest entry of each row and column of ``r A c`` is 1.

    Ruiz' iteration ``r <- r / sqrt(max_j |r a c|)``, ``c`` likewise, keeps the balance between
    ``M`` and ``G``: where a mass is small, a plain division of the rows makes the entries of
    ``G`` look like the better pivots, and these destroy the sparsity.
    """
    n = matrix.shape[0]
    row, column = np.ones(n), np.ones(n)
    scaled = abs(matrix)
    index = scaled.indices
    by_column = np.repeat(np.arange(n), np.diff(scaled.indptr))
    for _ in range(sweeps):
        weights = scaled.data * row[index] * column[by_column]
        largest_in_row, largest_in_column = np.zeros(n), np.zeros(n)
        np.maximum.at(largest_in_row, index, weights)
        np.maximum.at(largest_in_column, by_column, weights)
        for name, largest in (("row", largest_in_row), ("column", largest_in_column)):
            if not largest.all():
                where = {name: int(np.argmin(largest))}
                raise SingularMatrixError(f"{name} {where[name]} of the matrix is zero", **where)
        row /= np.sqrt(largest_in_row)
        column /= np.sqrt(largest_in_column)
    return row, column


def choose_elimination(
    matrix: sp.csc_array, row_scale: FloatArray, column_scale: FloatArray
) -> Elimination:
    """Take the order of elimination that needs the fewest multiplications.

    Parameters
    ----------
    matrix : csc_array
        The matrix with every entry of its pattern stored, even where it is zero.
    row_scale, column_scale : array
        Its equilibration.
    """
    by_column = np.repeat(column_scale, np.diff(matrix.indptr))
    scaled = matrix.copy()
    scaled.data = matrix.data * row_scale[matrix.indices] * by_column
    candidates = [_eliminate(scaled, ordering) for ordering in _orderings(scaled)]
    best = min(candidates, key=lambda candidate: candidate.products)
    LOG.debug(
        "n=%d, %d entries, %d in the factors, %d multiplications",
        matrix.shape[0],
        matrix.nnz,
        best.l_row.size + best.u_row.size,
        best.products,
    )
    return best


def _orderings(scaled: sp.csc_array) -> list[str]:
    """Return the orderings of SuperLU that are safe to try on this pattern."""
    names = ["COLAMD"]
    exchanged = np.mean(np.abs(scaled.diagonal()) < PIVOT_THRESHOLD)
    if scaled.shape[0] <= SYMMETRIC_LIMIT or exchanged <= SMALL_DIAGONALS:
        names.append("MMD_AT_PLUS_A")
    row_lengths = np.bincount(scaled.indices).astype(float)
    if (row_lengths**2).sum() <= PRODUCT_LIMIT * scaled.nnz:
        names.append("MMD_ATA")
    return names


def _eliminate(scaled: sp.csc_array, ordering: str) -> Elimination:
    """Let SuperLU order and pivot, then find the pattern of the factors."""
    # SuperLU takes 32-bit indices; int64 ones are refused, not converted.
    matrix = sp.csc_array(
        (scaled.data, scaled.indices.astype(np.int32), scaled.indptr.astype(np.int32)),
        shape=scaled.shape,
    )
    try:
        lu = splu(matrix, permc_spec=ordering, diag_pivot_thresh=PIVOT_THRESHOLD)
    except RuntimeError as error:
        raise SingularMatrixError(str(error)) from error
    # SuperLU's permutations say where a row goes; the other direction is needed here.
    rows = np.argsort(lu.perm_r).astype(np.int64)
    columns = np.argsort(lu.perm_c).astype(np.int64)
    permuted = scaled[:, columns]
    l_ptr, l_row, u_ptr, u_row = fill_pattern(
        permuted.indptr.astype(np.int64), lu.perm_r.astype(np.int64)[permuted.indices]
    )
    return Elimination(
        rows, columns, l_ptr, _sorted_rows(l_ptr, l_row), u_ptr, _sorted_rows(u_ptr, u_row)
    )


def _sorted_rows(ptr: IntArray, row: IntArray) -> IntArray:
    """Sort the rows within each column; ascending order is an order of elimination."""
    n = ptr.size - 1
    matrix = sp.csc_array((np.ones(row.size, np.int8), row, ptr), shape=(n, n))
    matrix.sort_indices()
    return matrix.indices.astype(np.int64)


@internal(types.int64[::1](_INTS, types.int64))
def _grown(array: IntArray, needed: int) -> IntArray:
    """Return the array itself, or a copy of twice the length if ``needed`` does not fit."""
    if needed <= array.size:
        return array
    longer = np.empty(2 * needed, np.int64)
    for i in range(array.size):  # a slice assignment takes Numba a second to compile
        longer[i] = array[i]
    return longer


@internal(types.void(types.int64, _INTS, _INTS, _INTS, _INTS))
def _prune(k: int, column: IntArray, l_ptr: IntArray, l_row: IntArray, reach: IntArray) -> None:
    """Cut each column ``j`` of ``L`` with ``u_jk`` in the pattern behind ``l_kj``, if there."""
    for j in column:
        if reach[j] < l_ptr[j + 1]:
            continue  # already cut at an earlier row
        for p in range(l_ptr[j], l_ptr[j + 1]):
            if l_row[p] == k:
                low, high = l_ptr[j], l_ptr[j + 1]
                while low < high:
                    if l_row[low] <= k:
                        low += 1
                    else:
                        high -= 1
                        l_row[low], l_row[high] = l_row[high], l_row[low]
                reach[j] = low
                break


@njit(types.UniTuple(_INTS, 4)(_INTS, _INTS), cache=True, error_model="numpy")
def fill_pattern(indptr: IntArray, indices: IntArray) -> tuple[IntArray, ...]:
    """Find the pattern of ``L`` and ``U`` for pivots on the diagonal, columns unsorted.

    Column ``k`` of the factors has every row that can be reached from the rows of ``A[:, k]``
    through columns ``j < k`` of ``L`` (Gilbert and Peierls). A column of ``L`` need not be
    followed beyond the first row ``i`` with both ``l_ij`` and ``u_ji`` in the pattern, because
    column ``i`` has inherited the rest (Eisenstat and Liu); ``reach`` is the end of that part.
    """
    n = indptr.size - 1
    l_ptr, u_ptr = np.zeros(n + 1, np.int64), np.zeros(n + 1, np.int64)
    l_row, u_row = np.empty(4 * indices.size, np.int64), np.empty(4 * indices.size, np.int64)
    reach = np.empty(n, np.int64)
    mark = np.full(n, -1, np.int64)
    found = np.empty(n, np.int64)
    for k in range(n):
        mark[k] = k
        count = 0
        for p in range(indptr[k], indptr[k + 1]):
            if mark[indices[p]] != k:
                mark[indices[p]] = k
                found[count] = indices[p]
                count += 1
        l_end, u_end = l_ptr[k], u_ptr[k]
        l_row, u_row = _grown(l_row, l_end + n - k), _grown(u_row, u_end + k)
        done = 0
        while done < count:
            j = found[done]
            done += 1
            if j > k:
                l_row[l_end] = j
                l_end += 1
                continue
            u_row[u_end] = j
            u_end += 1
            for p in range(l_ptr[j], reach[j]):
                i = l_row[p]
                if mark[i] != k:
                    mark[i] = k
                    found[count] = i
                    count += 1
        l_ptr[k + 1], u_ptr[k + 1], reach[k] = l_end, u_end, l_end
        _prune(k, u_row[u_ptr[k] : u_end], l_ptr, l_row, reach)
    return l_ptr, l_row[: l_ptr[n]].copy(), u_ptr, u_row[: u_ptr[n]].copy()
