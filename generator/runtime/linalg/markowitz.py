"""Markowitz ordering: pivots of least local fill-in, with threshold pivoting.

The next pivot is the entry ``a_ij`` with the smallest ``(r_i - 1)(c_j - 1)``, where ``r_i`` and
``c_j`` count the entries of its row and column in the active submatrix, among those that are not
much smaller than the largest entry of their row or column. A body or joint connected to few others
is eliminated locally, whatever the size of the mechanism: the cost per unknown is the same for
stars, chains and trees.
"""

import numpy as np

from mbdgen.runtime.linalg.active_submatrix import (
    NONE,
    ActiveEntries,
    ActiveLines,
    file_line,
    insert,
    place_of,
    take_line,
    unlink,
    with_room,
)
from mbdgen.runtime.linalg.stable_sort import ascending_order
from mbdgen.runtime.program.compiled_functions import internal, separate
from mbdgen.runtime.system.system_data import FloatArray, IntArray
from mbdgen.subset import types

SEARCHED = 8
"""Number of lines searched for each pivot; more lines bring no improvement [M]."""
DEAR = 4
"""A line whose pivots cost more than this multiple of its squared count is searched later."""

_INTS = types.int64[::1]
_REALS = types.float64[::1]


@internal
def _choose(entries: ActiveEntries, lines: ActiveLines, n: int, threshold: float) -> int:
    """Return the entry to eliminate next, or `NONE` if the active submatrix is zero."""
    best, best_cost, best_size, searched = NONE, 4 * n * n, 0.0, 0
    if lines.listed[0] == 0:
        return NONE
    for count in range(1, n + 1):
        line = lines.shortest[count]
        while line != NONE:
            side = 0 if line < n else 1
            after = lines.following[line]
            largest, cheapest = 0.0, 4 * n * n
            e = lines.first[line]
            while e != NONE:
                largest = max(largest, abs(entries.value[e]))
                e = entries.after[e, side]
            e = lines.first[line]
            while e != NONE and largest > 0.0:
                size = abs(entries.value[e])
                cost = (lines.length[line] - 1) * (lines.length[entries.line[e, 1 - side]] - 1)
                better = cost < best_cost or (cost == best_cost and size / largest > best_size)
                if size >= threshold * largest:
                    cheapest = min(cheapest, cost)
                    if better:
                        best, best_cost, best_size = e, cost, size / largest
                e = entries.after[e, side]
            if cheapest > DEAR * count * count:
                # Its entries are all in the line of a hub, for instance: file it with longer ones.
                take_line(lines, line)
                file_line(lines, line, min(n, int(cheapest**0.5) + 1))
            else:
                searched += 1
            if best != NONE and (searched >= SEARCHED or best_cost <= (count - 1) ** 2):
                return best
            line = after
        if best != NONE and best_cost <= count * count:
            return best
    return best


@internal
def _eliminate(entries: ActiveEntries, lines: ActiveLines, pivot: int) -> None:
    """``a_rc -= a_rj a_ic / a_ij`` for all other rows and columns, then drop row and column."""
    line, after, value = entries.line, entries.after, entries.value
    row, column = line[pivot, 0], line[pivot, 1]
    for side in range(2):
        take_line(lines, line[pivot, side])
        e = lines.first[line[pivot, side]]
        while e != NONE:
            if e != pivot:
                other = line[e, 1 - side]
                take_line(lines, other)
                unlink(entries, lines, e, 1 - side)
            e = after[e, side]
    below = lines.first[column]
    while below != NONE:
        if below != pivot:
            factor = value[below] / value[pivot]
            right = lines.first[row]
            while right != NONE:
                if right != pivot:
                    e = entries.slot[place_of(entries, line[below, 0], line[right, 1])]
                    if e == NONE:
                        product = -factor * value[right]
                        insert(entries, lines, line[below, 0], line[right, 1], product)
                    else:
                        value[e] -= factor * value[right]
                right = after[right, 0]
        below = after[below, 1]
    for side in range(2):
        e = lines.first[line[pivot, side]]
        while e != NONE:
            if e != pivot:
                file_line(lines, line[e, 1 - side], lines.length[line[e, 1 - side]])
            e = after[e, side]


@separate(types.UniTuple(_INTS, 2)(_INTS, _INTS, _REALS, types.float64, _INTS))
def markowitz(
    indptr: IntArray, indices: IntArray, values: FloatArray, threshold: float, level: IntArray
) -> tuple[IntArray, IntArray]:
    """Return the rows and columns in the order of elimination.

    Parameters
    ----------
    indptr, indices, values : array
        An equilibrated matrix compressed by columns.
    threshold : float
        Smallest pivot relative to the largest entry of its row or column.
    level : array of int
        Level of every unknown: lines of a level are searched after those of higher levels.

    Returns
    -------
    rows, columns : array of int
        Shorter than the matrix if no pivot is left because it is singular.
    """
    n = len(indptr) - 1
    none = np.empty((0, 2), np.int32)
    entries = ActiveEntries(
        none, none, none, np.empty(0), np.empty(0, np.int32), np.zeros(1, np.int64)
    )
    entries = with_room(entries, len(values))
    lines = ActiveLines(
        np.full(2 * n, NONE),
        np.zeros(2 * n, np.int64),
        np.full(n + 1, NONE),
        np.zeros(2 * n, np.int64),
        np.full(2 * n, NONE),
        np.full(2 * n, NONE),
        np.ones(2 * n, np.int64),
        np.zeros(1, np.int64),
    )
    gone = np.zeros(2 * n, np.int64)
    order = ascending_order(-level)
    begun = 0
    for j in range(n):
        for p in range(indptr[j], indptr[j + 1]):
            insert(entries, lines, indices[p], n + j, values[p])
    rows, columns = np.empty(n, np.int64), np.empty(n, np.int64)
    for k in range(n):
        pivot = _choose(entries, lines, n, threshold)
        while pivot == NONE and begun < n:
            now = level[order[begun]]
            while begun < n and level[order[begun]] == now:
                for line in (order[begun], n + order[begun]):
                    lines.waits[line] = 0
                    if not gone[line]:
                        file_line(lines, line, lines.length[line])
                begun += 1
            pivot = _choose(entries, lines, n, threshold)
        if pivot == NONE:
            return rows[:k].copy(), columns[:k].copy()
        rows[k], columns[k] = entries.line[pivot, 0], entries.line[pivot, 1] - n
        gone[rows[k]] = gone[n + columns[k]] = 1
        most = (lines.length[rows[k]] - 1) * (lines.length[n + columns[k]] - 1)
        entries = with_room(entries, most)
        _eliminate(entries, lines, pivot)
    return rows, columns
