"""Capability table: every combination of two values, and whether it is supported."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, product
from textwrap import wrap
from typing import Any, Literal

from mbdgen.capabilities.axes import ALSO, IMPLIED, SHEETS, CapabilitySheet, axis_values
from mbdgen.capabilities.declared_limits import LIMITS
from mbdgen.limits import Facts, Limit, refusal
from mbdgen.runtime.methods.scheme import Scheme

VERDICTS = ("works", "theory", "missing")


@dataclass(frozen=True)
class Cell:
    """Cell of the capability table: one combination.

    Attributes
    ----------
    axes, values : tuple of str
        Axes and values that are combined.
    limit : Limit or None
        What refuses it; None if it works.
    reason, remedy : str
        Error message for this combination; empty if it works.
    """

    axes: tuple[str, str]
    values: tuple[str, str]
    limit: Limit | None = None
    reason: str = ""
    remedy: str = ""

    @property
    def verdict(self) -> Literal["works", "theory", "missing"]:
        """Whether it is supported, impossible in principle, or not implemented."""
        return "works" if self.limit is None else self.limit.verdict

    @property
    def data(self) -> dict[str, Any]:
        """The cell as data for JSON."""
        names = ("axes", "values", "verdict", "reason", "remedy")
        return {name: getattr(self, name) for name in names}


def cells(facts: Facts | None = None) -> list[Cell]:
    """Return the capability table.

    Parameters
    ----------
    facts : Facts, optional
        Features of a model: then only these are combined, and the parts that have them are named.
    """
    sheets = [s for s in SHEETS if facts is None or "feature" in s.axes]
    return [cell for sheet in sheets for cell in _cells_of(sheet, facts)]


def counts(table: Sequence[Cell]) -> dict[str, int]:
    """Return the number of cells with each verdict."""
    found = Counter[str](cell.verdict for cell in table)
    return {verdict: found[verdict] for verdict in VERDICTS}


def as_data(table: Sequence[Cell]) -> dict[str, Any]:
    """Return counts and cells as data for JSON."""
    return {**counts(table), "cells": [cell.data for cell in table]}


def _cells_of(sheet: CapabilitySheet, facts: Facts | None) -> Iterator[Cell]:
    for values in product(*(_names(sheet, axis, facts) for axis in sheet.axes)):
        pair = (values[0], values[1])
        way, known = _way(sheet.axes, values), _facts(sheet.axes, values, facts)
        limit = refusal(LIMITS, way, known)
        if limit is None:
            yield Cell(sheet.axes, pair)
        else:
            yield Cell(sheet.axes, pair, limit, *limit.sentences(way, known))


def _names(sheet: CapabilitySheet, axis: str, facts: Facts | None) -> list[str]:
    found = [name for name in axis_values(axis) if name not in sheet.without]
    if axis == "feature" and facts is not None:
        return [name for name in found if name in facts.features]
    return found


def _way(axes: Sequence[str], values: Sequence[str]) -> dict[str, object]:
    chosen = zip(axes, values, strict=True)
    way = {axis: axis_values(axis)[name] for axis, name in chosen if axis != "feature"}
    scheme = way.get("scheme")
    if isinstance(scheme, Scheme) and scheme.method.kernels:
        way["kernels"] = "second"
    implied = {axis: x for name in values for axis, x in IMPLIED.get(name, {}).items()}
    return {**implied, **way}


def _facts(axes: Sequence[str], values: Sequence[str], facts: Facts | None) -> Facts:
    """Return the features of one combination: the stated one, and those that it implies."""
    known = facts or Facts()
    chosen = dict(zip(axes, values, strict=True)).get("feature")
    every = () if chosen is None else (chosen, *ALSO.get(chosen, ()))
    return Facts(known.model, {name: known.features.get(name, ()) for name in every})


# The table as text: the number of cells that work, and refusals grouped by reason.
WIDTH = 100
MOST = 6


def text_of(table: Sequence[Cell]) -> str:
    """Return the capability table as text."""
    head = "What works with what, and why the rest does not: theory (it cannot be), missing (nobody"
    lines = [f"{head} has made it).", ""]
    for axes, cells in groupby(table, lambda cell: cell.axes):
        found = list(cells)
        lines.append(f"{' x '.join(axes)}: {_counted(found)}")
        lines += [line for group in _reasons(found) for line in group]
    return "\n".join([*lines, "", f"all: {_counted(table)}"])


def _counted(table: Sequence[Cell]) -> str:
    found = counts(table)
    return f"{found['works']} work, {found['theory']} theory, {found['missing']} missing"


def _reasons(table: Sequence[Cell]) -> list[list[str]]:
    """Return the lines of every limit, with the combinations that it refuses."""
    refused: dict[int, list[Cell]] = {}
    for cell in table:
        if cell.limit is not None:
            refused.setdefault(id(cell.limit), []).append(cell)
    return [_lines(cells) for cells in refused.values()]


def _lines(cells: Sequence[Cell]) -> list[str]:
    first, second = ([*dict.fromkeys(cell.values[k] for cell in cells)] for k in (0, 1))
    head = f"{len(cells)} {cells[0].verdict}: {_listed(first)} with {_listed(second)}"
    body = wrap(cells[0].reason, WIDTH - 6)
    return [*_indented(wrap(head, WIDTH - 2), 2), *_indented(body, 6)]


def _listed(names: Sequence[str]) -> str:
    more = f" and {len(names) - MOST} more" if len(names) > MOST else ""
    return ", ".join(names[:MOST]) + more


def _indented(lines: Sequence[str], by: int) -> list[str]:
    return [f"{' ' * by}{line}" for line in lines]
