"""Which pivot comes next: few fill-ins first (Markowitz), among entries that are not small.

The best entry of every row is kept, and looked for again only in rows that share a column with what
the last elimination has changed: the choice costs what changed, not the whole matrix.
"""

from collections.abc import Collection, Iterable
from heapq import heapify, heappop, heappush

Place = tuple[int, int]
Sample = tuple[float, ...]  # one number for each representative state
Key = tuple[float, ...]

THRESHOLD = 0.01  # a pivot is at least this part of the largest entry of its column
FAR = 0.1  # the same where states lie far apart
NOISE = 1e-12  # nothing below this part of its column is a pivot


class NoPivotError(ArithmeticError):
    """The matrix is singular at the representative state."""


class Candidates:
    """The best pivot of every row of a matrix under elimination.

    Parameters
    ----------
    numbers : list of dict of column to Sample
        Rows of the matrix at the representative states; the caller changes them.
    columns : list of set of int
        Rows that stand in each column; the caller changes them too.
    far : bool
        Whether the states lie far apart: an entry that has both signs is zero between them.
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
        """Return the pivot with the least fill; if none is large enough, the largest.

        Raises
        ------
        NoPivotError
            If nothing is left but zeros.
        """
        while self._heap:
            _, r, c, age = heappop(self._heap)
            if age == self._age[r]:
                self._age[r] += 1  # the row is gone
                return r, c
        raise NoPivotError

    def changed(self, rows: Iterable[int], columns: Collection[int]) -> None:
        """Note that some rows, and the entries of some columns, are others now."""
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
