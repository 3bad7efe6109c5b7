"""Active submatrix of a sparse elimination: linked rows and columns, and a hash table.

Rows and columns are treated alike: *lines* ``0 .. n-1`` are the rows, ``n .. 2n-1`` the columns.
Every entry is in two doubly linked lists (side 0: its row, side 1: its column) and in a hash table,
because the crank of a thousand rods has lines too long for a search.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mbdgen.runtime.program.compiled_functions import internal
from mbdgen.runtime.system.system_data import FloatArray, IntArray
from mbdgen.subset import types

NONE = -1
ShortArray = NDArray[np.int32]

_INTS = types.int64[::1]
_PAIRS = types.int32[:, ::1]
_SLOTS = types.int32[::1]
_REALS = types.float64[::1]


class ActiveEntries(NamedTuple):
    """Entries of the active submatrix.

    Attributes
    ----------
    line, after, before : array of int, shape (capacity, 2)
        Row and column line of each entry, and its neighbours in both lists.
    value : array
        Values of the entries.
    slot : array of int
        Hash table: entries by row and column.
    used : array of int
        Number of entries created so far.
    """

    line: ShortArray
    after: ShortArray
    before: ShortArray
    value: FloatArray
    slot: ShortArray
    used: IntArray


class ActiveLines(NamedTuple):
    """Rows and columns of the active submatrix, in linked lists by their number of entries.

    Attributes
    ----------
    first, length : array of int
        First entry of every line and number of its entries.
    shortest : array of int
        First line in the list of each count.
    filed : array of int
        Count of the list that a line is in, which may exceed its length.
    following, preceding : array of int
        Neighbours of a line in its list.
    waits : array of int
        1 for lines of a later level, in none of these lists.
    listed : array of int
        Number of lines in these lists.
    """

    first: IntArray
    length: IntArray
    shortest: IntArray
    filed: IntArray
    following: IntArray
    preceding: IntArray
    waits: IntArray
    listed: IntArray


ENTRIES = types.NamedTuple((_PAIRS, _PAIRS, _PAIRS, _REALS, _SLOTS, _INTS), ActiveEntries)
LINES = types.NamedUniTuple(_INTS, 8, ActiveLines)


@internal
def place_of(entries: ActiveEntries, row: int, column: int) -> int:
    """Return the slot of an entry in the hash table, or the free slot for it."""
    mask = len(entries.slot) - 1
    mixed = (row * 73856093) ^ (column * 19349663)
    place = (mixed ^ (mixed >> 15)) & mask
    while True:
        e = entries.slot[place]
        if e == NONE or (entries.line[e, 0] == row and entries.line[e, 1] == column):
            return int(place)
        place = (place + 1) & mask


@internal
def insert(entries: ActiveEntries, lines: ActiveLines, row: int, column: int, value: float) -> None:
    """Insert a new entry at the head of both of its lists."""
    e = entries.used[0]
    entries.used[0] += 1
    entries.value[e] = value
    for side in range(2):
        line = row if side == 0 else column
        old = lines.first[line]
        entries.line[e, side] = line
        entries.before[e, side] = NONE
        entries.after[e, side] = old
        if old != NONE:
            entries.before[old, side] = e
        lines.first[line] = e
        lines.length[line] += 1
    entries.slot[place_of(entries, row, column)] = e


@internal
def unlink(entries: ActiveEntries, lines: ActiveLines, e: int, side: int) -> None:
    """Remove an entry from one of its lists."""
    before, after = entries.before[e, side], entries.after[e, side]
    line = entries.line[e, side]
    if before == NONE:
        lines.first[line] = after
    else:
        entries.after[before, side] = after
    if after != NONE:
        entries.before[after, side] = before
    lines.length[line] -= 1


@internal
def file_line(lines: ActiveLines, line: int, count: int) -> None:
    """Insert a line in the list of a count, at its head: pivots stay in one neighbourhood."""
    lines.filed[line] = count
    if lines.waits[line]:
        return
    first = lines.shortest[count]
    lines.preceding[line] = NONE
    lines.following[line] = first
    if first != NONE:
        lines.preceding[first] = line
    lines.shortest[count] = line
    lines.listed[0] += 1


@internal
def take_line(lines: ActiveLines, line: int) -> None:
    """Remove a line from its list."""
    if lines.waits[line]:
        return
    before, after = lines.preceding[line], lines.following[line]
    if before == NONE:
        lines.shortest[lines.filed[line]] = after
    else:
        lines.following[before] = after
    if after != NONE:
        lines.preceding[after] = before
    lines.listed[0] -= 1


@internal
def with_room(old: ActiveEntries, needed: int) -> ActiveEntries:
    """Return the same entries with capacity for ``needed`` more."""
    used = old.used[0]
    if used + needed <= len(old.value):
        return old
    room = 2 * (used + needed)
    slots = 64
    while slots < 2 * room:
        slots *= 2
    pairs = np.empty((3, room, 2), np.int32)
    entries = ActiveEntries(
        pairs[0], pairs[1], pairs[2], np.empty(room), np.full(slots, NONE, np.int32), old.used
    )
    for e in range(used):
        entries.value[e] = old.value[e]
        for side in range(2):
            entries.line[e, side] = old.line[e, side]
            entries.after[e, side] = old.after[e, side]
            entries.before[e, side] = old.before[e, side]
        entries.slot[place_of(entries, old.line[e, 0], old.line[e, 1])] = e
    return entries
