"""Result table of an analysis: columns of equal length, with names and units."""

import csv
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from mbdgen.errors import OptionError
from mbdgen.runtime.program.atomic_files import replacing
from mbdgen.runtime.results.json_files import write_json
from mbdgen.runtime.system.system_data import FloatArray


@dataclass(frozen=True)
class Column:
    """Column of numbers or strings, with a name and a unit."""

    name: str
    unit: str
    values: FloatArray | Sequence[str]

    def __post_init__(self) -> None:
        try:
            dimensions = np.ndim(self.values)
        except ValueError:  # rows of different lengths
            dimensions = 2
        if dimensions != 1:
            raise OptionError(
                f"The column '{self.name}' of a table has {dimensions} dimensions, not 1.",
                "Give a vector of numbers or a list of words; one column for each component.",
            )

    @property
    def heading(self) -> str:
        """Name and unit of the column."""
        return f"{self.name} [{self.unit}]" if self.unit else self.name


@dataclass(frozen=True)
class Table:
    """Table with columns of equal length, in reading order.

    Attributes
    ----------
    title : str
        Caption.
    columns : tuple of Column
        ``table["frequency"]`` gives the values of one.
    """

    title: str
    columns: tuple[Column, ...]

    def __post_init__(self) -> None:
        for column in self.columns:
            if len(column.values) != len(self):
                raise OptionError(
                    f"The column '{column.name}' of the table '{self.title}' has "
                    f"{len(column.values)} values, '{self.columns[0].name}' has {len(self)}.",
                    "Give columns of equal length.",
                )

    def __getitem__(self, name: str) -> Any:
        for column in self.columns:
            if column.name == name:
                return column.values
        known = ", ".join(column.name for column in self.columns)
        raise OptionError(f"The table has no column {name!r}.", f"It has: {known}.")

    def __len__(self) -> int:
        return len(self.columns[0].values) if self.columns else 0

    def save(self, path: str | Path) -> None:
        """Write a ``.csv`` file (a heading and rows) or a ``.json`` file (columns by name)."""
        path = Path(path)
        if path.suffix not in (".csv", ".json"):
            raise OptionError(f"'{path}' is neither .csv nor .json.", "Choose one of these.")
        if path.suffix == ".json":
            write_json(path, self._plain())
            return
        with replacing(path) as temporary, temporary.open("w", newline="") as file:
            writer = csv.writer(file)
            writer.writerow([column.heading for column in self.columns])
            writer.writerows(zip(*(list(column.values) for column in self.columns), strict=True))

    def _plain(self) -> dict[str, Any]:
        return {
            "title": self.title,
            "units": {column.name: column.unit for column in self.columns},
            "columns": {c.name: np.asarray(c.values).tolist() for c in self.columns},
        }
