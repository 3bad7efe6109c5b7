"""Symbolic factorisation: the pattern (fill-in) of ``L`` and ``U`` for pivots on the diagonal."""

import numpy as np

from mbdgen.runtime.program.compiled_functions import internal, separate
from mbdgen.runtime.system.system_data import IntArray
from mbdgen.subset import types

_INTS = types.int64[::1]


@internal
def _grown(array: IntArray, needed: int) -> IntArray:
    """Return the array itself, or a copy of twice the length if ``needed`` does not fit."""
    if needed <= array.size:
        return array
    longer = np.empty(2 * needed, np.int64)
    for i in range(array.size):
        longer[i] = array[i]
    return longer


@internal
def _prune(k: int, column: IntArray, l_ptr: IntArray, l_row: IntArray, reach: IntArray) -> None:
    """Symmetric pruning: cut columns ``j`` of ``L`` with ``u_jk`` in the pattern after ``l_kj``."""
    for j in column:
        if reach[j] < l_ptr[j + 1]:
            continue  # already pruned at an earlier row
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


@separate(types.UniTuple(_INTS, 4)(_INTS, _INTS))
def fill_pattern(indptr: IntArray, indices: IntArray) -> tuple[IntArray, ...]:
    """Return the pattern of ``L`` and ``U`` for pivots on the diagonal, columns unsorted.

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
