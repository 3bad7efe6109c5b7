"""The table of what works with what: what it allows runs and is right, what it refuses it says."""

from collections.abc import Iterable

import pytest

from mbdgen.capabilities.table import Cell, cells, limit_of
from mbdgen.errors import MbdgenError
from tests.capability_runs import do, sentence

TABLE = cells()


def told(cell: Cell) -> str:
    return " x ".join(cell.values)


def one_of_each_limit() -> list[Cell]:
    """Return a refused cell of every limit."""
    refused = [cell for cell in TABLE if cell.verdict != "works"]
    return [*{id(limit_of(cell)): cell for cell in reversed(refused)}.values()]


def check(some: Iterable[Cell]) -> None:
    wrong = {}
    for cell in some:
        try:
            do(cell)
        except Exception as error:
            if cell.verdict == "works":
                wrong[cell.values] = f"{type(error).__name__}: {error}"
            else:
                with pytest.raises(MbdgenError, match=sentence(cell)):
                    raise
        else:
            if cell.verdict != "works":
                wrong[cell.values] = "was done"
    assert not wrong, "\n".join(f"{values}: {text}" for values, text in wrong.items())


@pytest.mark.parametrize("cell", one_of_each_limit(), ids=told)
def test_refused_by_the_table(cell: Cell) -> None:
    with pytest.raises(MbdgenError, match=sentence(cell)):
        do(cell)
