"""The vocabulary is complete, unambiguous and printable."""

import re

import pytest

from mbdgen.quantities import QUANTITIES, comment, markdown_table, quantity

FROM_THE_EQUATIONS = "q v a u T M f K C phi phi_t H G gamma lam W"


def test_every_name_of_the_equations_is_explained() -> None:
    names = [entry.name for entry in QUANTITIES]
    assert set(FROM_THE_EQUATIONS.split()) <= set(names)
    assert len(set(names)) == len(names)


@pytest.mark.parametrize("entry", QUANTITIES, ids=lambda entry: entry.name)
def test_entry_fits_one_line_of_code_and_one_row_of_a_table(entry) -> None:
    assert entry.name.isidentifier()
    assert entry.symbol and "$" not in entry.symbol
    assert entry.meaning and not re.search(r"[|\n]", entry.meaning)
    assert len(comment(entry.name)) <= 100
    assert "`" not in comment(entry.name)


def test_lookup() -> None:
    assert quantity("lam").symbol == r"\lambda"
    assert comment("lam") == "lam (n_lam): multipliers (reactions)"
    assert comment("t") == "t: time [s]"
    with pytest.raises(KeyError):
        quantity("nonsense")


def test_markdown_table_has_one_row_of_five_cells_per_quantity() -> None:
    lines = markdown_table().splitlines()
    assert len(lines) == len(QUANTITIES) + 2
    assert {line.count("|") for line in lines} == {6}
    assert r"| `phi` | $\phi$ | all constraint equations `phi(t, q) = 0` | `n_phi` |  |" in lines
