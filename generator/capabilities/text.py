"""The table in words: how many cells work, and the refusals of one reason together."""

from collections.abc import Sequence
from itertools import groupby
from textwrap import wrap

from mbdgen.capabilities.table import Cell, counts, limit_of

WIDTH = 100
MOST = 6


def text_of(table: Sequence[Cell]) -> str:
    """Return the table for people."""
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
    """Return the lines of every limit, with what it refuses."""
    refused: dict[int, list[Cell]] = {}
    for cell in table:
        if cell.verdict != "works":
            refused.setdefault(id(limit_of(cell)), []).append(cell)
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
