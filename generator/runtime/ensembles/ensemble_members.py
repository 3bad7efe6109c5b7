"""Members of an ensemble: parameters and initial conditions."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import prod
from typing import Any

import numpy as np

from mbdgen.errors import OptionError
from mbdgen.runtime.results.sentence_parts import listed
from mbdgen.runtime.stepping.number_arguments import finite
from mbdgen.runtime.system.system import System
from mbdgen.runtime.system.system_data import FloatArray

MOST_MEMBERS = 10_000_000
"""Bound on the number of members: each takes some hundred bytes even if no series is in memory."""


@dataclass(frozen=True)
class Members:
    """One row for every member.

    Attributes
    ----------
    names : tuple of str
        Parameters that change from member to member.
    values : array, shape (n, len(names))
        Their values.
    q0, v0 : array, shape (n, n_q), or None
        Guesses of the initial state; NaN where that of the system is taken.
    first : int
        Number of the first of these members in the ensemble.
    """

    names: tuple[str, ...]
    values: FloatArray
    q0: FloatArray | None = None
    v0: FloatArray | None = None
    first: int = 0

    def __len__(self) -> int:
        return len(self.values)

    def part(self, first: int, last: int) -> "Members":
        """Return the members ``first .. last - 1``."""
        rows = slice(first, last)
        q0 = None if self.q0 is None else self.q0[rows]
        v0 = None if self.v0 is None else self.v0[rows]
        return Members(self.names, self.values[rows], q0, v0, self.first + first)

    def parameters(self, k: int) -> dict[str, float]:
        """Return the parameters of one member by name."""
        return dict(zip(self.names, self.values[k].tolist(), strict=True))

    def describe(self, k: int) -> str:
        """Name a member by its number and parameters."""
        shown = ", ".join(f"{name} = {value:g}" for name, value in self.parameters(k).items())
        return f"Member {self.first + k}" + (f" ({shown})" if shown else "")


def members(system: System, parameters: Any, q0: Any, v0: Any) -> Members:
    """Validate what a user passes to ``simulate_many``.

    Raises
    ------
    OptionError
        Unknown parameters, columns of different lengths, numbers that are not finite, no members.
    """
    columns = _columns(parameters)
    for name in columns:
        system.check_parameter(name)
    states = {key: _states(system, key, given) for key, given in (("q0", q0), ("v0", v0))}
    lengths = {f"parameter '{name}'": len(column) for name, column in columns.items()}
    lengths |= {key: len(rows) for key, rows in states.items() if rows is not None}
    if not lengths:
        raise OptionError(
            "The ensemble has no members.", "Give parameters={name: values}, q0 or v0."
        )
    count = min(lengths.values())
    if count == 0 or count != max(lengths.values()):
        shown = ", ".join(f"{what} has {length}" for what, length in lengths.items())
        raise OptionError(
            f"The members cannot be counted: {shown}.",
            "Give one value for every member; mbdgen.grid makes all combinations.",
        )
    values = np.column_stack(list(columns.values())) if columns else np.zeros((count, 0))
    return Members(tuple(columns), np.ascontiguousarray(values), states["q0"], states["v0"])


def grid(**axes: Iterable[float]) -> dict[str, FloatArray]:
    """Return all combinations of values, the last name changing fastest.

    Parameters
    ----------
    **axes : sequence of float
        Values of each parameter.

    Returns
    -------
    dict
        A column for each parameter, as ``simulate_many`` takes it.

    Raises
    ------
    OptionError
        If there are more than `MOST_MEMBERS`.

    Examples
    --------
    >>> {name: list(map(float, column)) for name, column in grid(m=[1, 2], L=[3, 4]).items()}
    {'m': [1.0, 1.0, 2.0, 2.0], 'L': [3.0, 4.0, 3.0, 4.0]}
    """
    columns = [_column(name, values) for name, values in axes.items()]
    check_member_count(prod(len(column) for column in columns), "All combinations")
    product = np.meshgrid(*columns, indexing="ij")
    return {name: values.ravel() for name, values in zip(axes, product, strict=True)}


def check_member_count(count: int, what: str) -> None:
    """Reject more members than a machine could hold.

    Raises
    ------
    OptionError
        If there are more than `MOST_MEMBERS`.
    """
    if count > MOST_MEMBERS:
        raise OptionError(
            f"{what} would be {count} members, more than {MOST_MEMBERS}.",
            "Take fewer values, or several ensembles one after the other.",
        )


def _columns(table: Any) -> dict[str, FloatArray]:
    """Read a mapping, a data frame, a structured array or a sequence of mappings."""
    if table is None:
        return {}
    named: Any = table
    if isinstance(table, np.ndarray) and table.dtype.names:
        named = {name: table[name] for name in table.dtype.names}
    elif not isinstance(table, Mapping) and isinstance(table, Sequence):
        named = _transposed(table)
    try:
        named = dict(named)  # keys() of a data frame works as that of a mapping
    except (TypeError, ValueError):
        raise OptionError(
            f"The parameters are no table but {type(table).__name__}.",
            "Give a mapping from names to values, a data frame, or a list of mappings.",
        ) from None
    return {str(name): _column(str(name), values) for name, values in named.items()}


def _transposed(rows: Sequence[Any]) -> dict[str, list[Any]]:
    if not all(isinstance(row, Mapping) for row in rows):
        raise OptionError(
            "The list of parameters contains something that is no mapping.",
            "Give one mapping from names to numbers for every member.",
        )
    names = list(rows[0]) if rows else []
    for k, row in enumerate(rows):
        if set(row) != set(names):
            raise OptionError(
                f"Member {k} gives {', '.join(row) or 'nothing'}, member 0 gives "
                f"{', '.join(names) or 'nothing'}.",
                "Give the same parameters for every member.",
            )
    return {name: [row[name] for row in rows] for name in names}


def _column(name: str, values: Any) -> FloatArray:
    """Read one column of finite numbers."""
    try:
        column = np.atleast_1d(np.array(values, dtype=float))
    except (TypeError, ValueError):
        column = np.array([finite(x) if finite(x) is not None else np.nan for x in _listed(values)])
    if column.ndim != 1:
        raise OptionError(
            f"The values of parameter '{name}' have the shape {column.shape}.",
            "Give one number for every member.",
        )
    bad = np.flatnonzero(~np.isfinite(column))
    if len(bad):
        shown = _listed(values)[bad[0]]
        shown = shown.item() if isinstance(shown, np.generic) else shown
        raise OptionError(
            f"Parameter '{name}' of member {bad[0]} = {shown!r} is not a finite number.",
            "Give a number.",
        )
    return column


def _listed(values: Any) -> list[Any]:
    return (
        list(values) if isinstance(values, Iterable) and not isinstance(values, str) else [values]
    )


def _states(system: System, key: str, given: Any) -> FloatArray | None:
    """Read initial coordinates (velocities): a row for every member, or columns by name."""
    if given is None:
        return None
    known = system.names.coordinates
    if isinstance(given, Mapping):
        for name in given:
            if name not in known:
                raise OptionError(
                    f"{key} names '{name}', which is no coordinate of '{system.data.model}'.",
                    f"Coordinates are: {listed(known, 12)}.",
                )
        columns = {name: _column(f"{key} of {name}", values) for name, values in given.items()}
        count = max((len(column) for column in columns.values()), default=0)
        rows = np.full((count, len(known)), np.nan)
        for name, column in columns.items():
            if len(column) != count:
                raise OptionError(
                    f"{key} gives {len(column)} values of '{name}' and {count} of another.",
                    "Give one value for every member.",
                )
            rows[:, known.index(name)] = column
        return rows
    try:
        rows = np.array(given, dtype=float, order="C")
    except (TypeError, ValueError):
        rows = np.zeros((0, 0))
    if rows.ndim != 2 or rows.shape[1] != len(known) or not np.isfinite(rows).all():
        raise OptionError(
            f"{key} is not a table of finite numbers with {len(known)} columns.",
            "Give one row for every member, or a mapping from names of coordinates to values.",
        )
    return rows
