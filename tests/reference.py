"""Stored reference solutions, thinned to about one hundred instants, as NumPy columns."""

import csv
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]
FOLDER = Path(__file__).parent / "references"


@dataclass(frozen=True)
class Reference:
    """One reference solution.

    Attributes
    ----------
    case : str
        Full name of the case, for example ``A01_pendulum``.
    t : array, shape (rows,)
        Instants, equally spaced, from the initial to the final time.
    columns : mapping of str to array
        Every column except the time, by its name without unit.
    units : mapping of str to str
        Unit of each column (empty for a pure number).
    accuracy : float
        Absolute bound for angles and positions; rates lose the factor of their size.
    meta : mapping
        The JSON statement: ``model`` describes the mechanism completely.
    """

    case: str
    t: FloatArray
    columns: Mapping[str, FloatArray]
    units: Mapping[str, str]
    accuracy: float
    meta: Mapping[str, Any]

    def __getitem__(self, name: str) -> FloatArray:
        """Column ``name``, shape (rows,)."""
        return self.columns[name]

    def stack(self, *names: str) -> FloatArray:
        """Several columns side by side, shape (rows, number of names)."""
        return np.column_stack([self.columns[name] for name in names])

    def until(self, t_end: float) -> "Reference":
        """Only the instants up to ``t_end``, for runs that must stay short."""
        keep = self.t <= t_end * (1.0 + 1e-12)
        columns = {name: column[keep] for name, column in self.columns.items()}
        return Reference(self.case, self.t[keep], columns, self.units, self.accuracy, self.meta)


def cases() -> list[str]:
    """Names of all stored cases, sorted."""
    return sorted(path.stem for path in FOLDER.glob("*.csv"))


def load(case: str) -> Reference:
    """Read one case.

    Parameters
    ----------
    case : str
        Full name (``TOP2_heavy_symmetric_top``) or an unambiguous beginning (``TOP2``).
    """
    found = [case] if case in cases() else [name for name in cases() if name.startswith(case)]
    if len(found) != 1:
        raise LookupError(f"reference {case!r} is not one case but {found or 'none'}")
    name = found[0]
    meta = json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    with (FOLDER / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        header = next(csv.reader(file))
        table = np.loadtxt(file, delimiter=",")
    labels = [label.rstrip("]").partition("[") for label in header]
    names = [label[0] for label in labels]
    return Reference(
        case=name,
        t=table[:, 0],
        columns=dict(zip(names[1:], table.T[1:], strict=True)),
        units={label[0]: label[2] for label in labels},
        accuracy=float(meta["accuracy"]),
        meta=meta,
    )
