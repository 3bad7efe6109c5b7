"""Gaussian elimination of the constraint Jacobian: redundant constraints, free coordinates.

Each row is reduced by the previous ones, with a pivot for every row. A row reduced to zero depends
on earlier ones. The caller chooses the order of the rows and the preference among pivots, so that
rows and coordinates of bodies near the ground are solved first.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from heapq import heapify, heappop, heappush

NOTHING = 1e-9
"""Entries of a row below this fraction of its largest entry are round-off."""
LARGE = 0.1
"""Threshold pivoting: smallest pivot relative to the largest remaining entry of its row."""

Row = dict[int, float]


@dataclass(frozen=True)
class GroupElimination:
    """Result of an elimination.

    Attributes
    ----------
    pivots : dict of row to column
        Independent rows, in order.
    reduced : tuple of dict
        The reduced rows, divided by their pivots.
    redundant : tuple of int
        Redundant (dependent) rows.
    contradicted : tuple of int
        Rows with entries in excluded columns only.
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
    rows: Mapping[int, Row], order: Sequence[int], excluded: frozenset[int], rank: Sequence[float]
) -> GroupElimination:
    """Eliminate rows in an order.

    Parameters
    ----------
    rows : mapping of row to dict of column to value
        The matrix.
    excluded : set of int
        Columns that are never pivots.
    rank : sequence of float
        By column: among large entries of a row the one with the highest rank becomes the pivot.
    """
    row_of: dict[int, int] = {}  # pivot column -> which of the reduced rows
    reduced: list[Row] = []
    chosen: list[int] = []
    pivots: dict[int, int] = {}
    redundant, contradicted = [], []
    for r in order:
        top = max(map(abs, rows[r].values()), default=0.0)
        start = {c: x / top for c, x in rows[r].items() if x != 0.0}
        row = _reduce(start, reduced, row_of, chosen)
        free = {c: abs(x) for c, x in row.items() if c not in excluded and abs(x) > NOTHING}
        if free:
            limit = LARGE * max(free.values())
            pivot = max((c for c in free if free[c] >= limit), key=lambda c: (rank[c], free[c], c))
            inverse = 1.0 / row[pivot]
            row_of[pivot] = len(reduced)
            reduced.append({c: x * inverse for c, x in row.items() if abs(x) > NOTHING * limit})
            pivots[r] = pivot
            chosen.append(pivot)
        elif any(abs(x) > NOTHING for x in row.values()):
            contradicted.append(r)
        else:
            redundant.append(r)
    return GroupElimination(pivots, tuple(reduced), tuple(redundant), tuple(contradicted))


def _reduce(
    row: Row, reduced: Sequence[Row], row_of: Mapping[int, int], pivots: Sequence[int]
) -> Row:
    """Subtract earlier rows until no pivot column of them is left."""
    waiting = [row_of[c] for c in row if c in row_of]
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
            if c not in row and c in row_of:
                heappush(waiting, row_of[c])
            row[c] = row.get(c, 0.0) - factor * x
    return row
