"""Pivot order of sparse elimination: Markowitz criterion with threshold pivoting.

The best entry of every row is cached, and updated only in rows that share a column with entries
changed by the last elimination.
"""

from collections.abc import Collection, Iterable
from heapq import heapify, heappop, heappush

Place = tuple[int, int]
Sample = tuple[float, ...]  # one value for each representative state
Key = tuple[float, ...]

THRESHOLD = 0.01  # smallest pivot relative to the largest entry of its column
FAR = 0.1  # the same for states that are far apart
NOISE = 1e-12  # entries below this fraction of their column are never pivots


class NoPivotError(ArithmeticError):
    """The matrix is singular at the representative state."""


class Candidates:
    """Pivot candidates: the best entry of every row of a matrix during elimination.

    Parameters
    ----------
    numbers : list of dict of column to Sample
        Rows of the matrix at the representative states; updated by the caller.
    columns : list of set of int
        Rows with entries in each column; updated by the caller too.
    far : bool
        Whether the states are far apart: an entry with both signs is zero between them.
    """

    def __init__(
        self, numbers: list[dict[int, Sample]], columns: list[set[int]], far: bool = False
    ) -> None:
        self._numbers, self._columns, self._far = numbers, columns, far
        self._largest: dict[int, Sample] = {}
        self._age = [0] * len(numbers)
        self._measure(range(len(columns)))
        self._heap = [e for e in map(self._best, range(len(numbers))) if e is not None]
        heapify(self._heap)

    def take(self) -> Place:
        """Return the pivot with the least fill-in; if none is large enough, the largest.

        Raises
        ------
        NoPivotError
            If only zeros are left.
        """
        while self._heap:
            _, r, c, age = heappop(self._heap)
            if age == self._age[r]:
                self._age[r] += 1  # the row is eliminated
                return r, c
        raise NoPivotError

    def changed(self, rows: Iterable[int], columns: Collection[int]) -> None:
        """Register changes of some rows, and of the entries of some columns."""
        self._measure(columns)
        for r in sorted({*rows, *(r for c in columns for r in self._columns[c])}):
            self._age[r] += 1
            best = self._best(r)
            if best is not None:
                heappush(self._heap, best)

    def _measure(self, columns: Iterable[int]) -> None:
        for c in columns:
            samples = [self._numbers[r][c] for r in self._columns[c]]
            self._largest[c] = tuple(max(map(abs, s)) for s in zip(*samples, strict=True))

    def _best(self, r: int) -> tuple[Key, int, int, int] | None:
        best: tuple[Key, int, int, int] | None = None
        row = self._numbers[r]
        for c, value in row.items():
            pairs = zip(value, self._largest[c], strict=True)
            size = min(abs(x) / top if top else 0.0 for x, top in pairs)
            if not size >= NOISE:
                continue
            fill = (len(row) - 1) * (len(self._columns[c]) - 1)
            small = size < THRESHOLD
            if self._far:
                small = size < FAR or min(value) < 0.0 < max(value)
            key = (float(small), -size if small else float(fill), float(r != c), -size)
            if best is None or (key, r) < best[:2]:
                best = key, r, c, self._age[r]
        return best
