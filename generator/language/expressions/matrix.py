"""Matrix-valued fields, such as the stiffness matrix of a bushing."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from mbdgen.errors import ModelError
from mbdgen.language.expressions.scalars import as_scalar, entries, shown


@dataclass(frozen=True)
class Matrix:
    """A square matrix of numbers or expressions of parameters; empty as the default of a field.

    Attributes
    ----------
    size : int
        Number of rows and columns.
    values : tuple
        Entries by rows; empty for zeros.
    """

    size: int
    values: tuple[Any, ...] = ()

    @property
    def symmetric(self) -> bool:
        """Whether the matrix is symmetric: equal numbers or expressions."""
        n = range(self.size)
        return not self.values or all(self[i, j] == self[j, i] for i in n for j in n)

    def __getitem__(self, index: tuple[int, int]) -> Any:
        row, column = index
        return self.values[self.size * row + column] if self.values else 0

    def entry_names(self, field: str) -> list[str]:
        """Return a name for every entry: ``stiffness_11``, ``stiffness_12``, ..."""
        n = range(1, self.size + 1)
        return [f"{field}_{i}{j}" for i in n for j in n] if self.values else []

    def named(self, symbols: Sequence[Any]) -> "Matrix":
        """Return the matrix with a symbol for every entry, preserving symmetry."""
        n = self.size
        if not self.symmetric:
            return replace(self, values=tuple(symbols))
        indices = (n * min(i, j) + max(i, j) for i in range(n) for j in range(n))
        return replace(self, values=tuple(symbols[k] for k in indices) if symbols else ())

    def __str__(self) -> str:
        n = range(self.size)
        return str([[self[i, j] for j in n] for i in n]) if self.values else "0"

    def of(self, given: Any, what: str) -> "Matrix":
        """Return a matrix from user input: full, its diagonal, or one number."""
        n, listed = self.size, entries(given)
        rows = (given,) * n if listed is None else tuple(listed)
        if len(rows) != n:
            raise self._wrong(given, what)
        table: list[Any] = []
        for i, row in enumerate(rows):
            entered = entries(row)
            if entered is not None and len(entered) != n:
                raise self._wrong(given, what)
            table += [row if i == j else 0.0 for j in range(n)] if entered is None else entered
        return replace(self, values=tuple(as_scalar(x, what) for x in table))

    def _wrong(self, given: Any, what: str) -> ModelError:
        n = self.size
        return ModelError(
            f"{what} is {shown(given)}.",
            f"Give {n} rows of {n} numbers, {n} numbers of the diagonal, or one number for all.",
        )
