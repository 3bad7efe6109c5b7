"""Which constraint equations are independent, and which coordinates they leave free.

Rows are taken one after the other; each is reduced by those before it (Gaussian elimination with a
pivot for every row). A row of which nothing is left follows from earlier ones. Only the order of
the rows and the preference among pivots are chosen by the caller, so that rows and coordinates of
bodies near the ground are kept in what is solved first.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from heapq import heapify, heappop, heappush

NOTHING = 1e-9
"""Part of a row, relative to its largest entry, that is taken for what rounding left of zero."""
LARGE = 0.1
"""A pivot is at least this part of the largest entry that is left of its row."""

Row = dict[int, float]


@dataclass(frozen=True)
class GroupElimination:
    """What an elimination has found.

    Attributes
    ----------
    pivots : dict of row to column
        Independent rows, in order.
    reduced : tuple of dict
        What was left of each of them, divided by its pivot.
    redundant : tuple of int
        Rows that follow from others.
    contradicted : tuple of int
        Rows that say something about held columns only.
    """

    pivots: dict[int, int]
    reduced: tuple[Row, ...]
    redundant: tuple[int, ...]
    contradicted: tuple[int, ...]

    def moved(self, column: int) -> list[int]:
        """Columns that move with one that is free, itself included."""
        motion = {column: 1.0}
        for pivot, row in zip(reversed(self.pivots.values()), reversed(self.reduced), strict=True):
            change = -sum(x * motion.get(c, 0.0) for c, x in row.items() if c != pivot)
            if abs(change) > NOTHING:
                motion[pivot] = change
        return sorted(motion)


def eliminate(
    rows: Mapping[int, Row], order: Sequence[int], held: frozenset[int], rank: Sequence[float]
) -> GroupElimination:
    """Eliminate rows in an order.

    Parameters
    ----------
    rows : mapping of row to dict of column to value
        The matrix.
    held : set of int
        Columns that are never pivots.
    rank : sequence of float
        By column: among large entries of a row the one with the highest rank becomes the pivot.
    """
    place: dict[int, int] = {}  # pivot column -> which of the reduced rows
    reduced: list[Row] = []
    chosen: list[int] = []
    pivots: dict[int, int] = {}
    redundant, contradicted = [], []
    for r in order:
        top = max(map(abs, rows[r].values()), default=0.0)
        start = {c: x / top for c, x in rows[r].items() if x != 0.0}
        row = _reduce(start, reduced, place, chosen)
        free = {c: abs(x) for c, x in row.items() if c not in held and abs(x) > NOTHING}
        if free:
            limit = LARGE * max(free.values())
            pivot = max((c for c in free if free[c] >= limit), key=lambda c: (rank[c], free[c], c))
            inverse = 1.0 / row[pivot]
            place[pivot] = len(reduced)
            reduced.append({c: x * inverse for c, x in row.items() if abs(x) > NOTHING * limit})
            pivots[r] = pivot
            chosen.append(pivot)
        elif any(abs(x) > NOTHING for x in row.values()):
            contradicted.append(r)
        else:
            redundant.append(r)
    return GroupElimination(pivots, tuple(reduced), tuple(redundant), tuple(contradicted))


def _reduce(
    row: Row, reduced: Sequence[Row], place: Mapping[int, int], pivots: Sequence[int]
) -> Row:
    """Subtract earlier rows until no pivot column of them is left."""
    waiting = [place[c] for c in row if c in place]
    heapify(waiting)
    done = -1
    while waiting:
        k = heappop(waiting)
        if k == done:
            continue
        done = k
        other, pivot = reduced[k], pivots[k]
        factor = row.pop(pivot, 0.0)
        if factor == 0.0:
            continue
        for c, x in other.items():
            if c == pivot:
                continue
            if c not in row and c in place:
                heappush(waiting, place[c])
            row[c] = row.get(c, 0.0) - factor * x
    return row
