"""Structural groups: which there are, in which order, and inputs that do not fit."""

import numpy as np
import pytest

from mbdgen import Model, load
from mbdgen.errors import OptionError
from mbdgen.grouping.group_loading import groups_pay, load_groups
from mbdgen.runtime.groups.group_decomposition import Decomposition, decompose
from mbdgen.runtime.groups.group_elimination import eliminate
from mbdgen.runtime.groups.group_simulation import simulate_by_groups
from mbdgen.runtime.initialisation.assembly import assemble
from mbdgen.show.group_texts import groups_text
from tests.mechanisms import four_bar


def decomposed(
    model: object, inputs: list[str] | None = None, **arguments: object
) -> Decomposition:
    system = load(model, layout="loop", **arguments)  # type: ignore[arg-type]
    return decompose(system, 0.0, assemble(system).q, inputs)


def notation(found: Decomposition) -> list[tuple[tuple[str, ...], int, int]]:
    return [(g.bodies, g.mobility, g.level) for g in found.groups]


@pytest.mark.representatives(id="planar")
@pytest.mark.parametrize("kinds", ["planar", "natural", "quaternion"])
def test_four_bar_is_a_crank_and_a_dyad(kinds: str) -> None:
    found = decomposed(four_bar(kinds=kinds, angles=(1.2, 0.1, 1.4)))
    assert notation(found) == [(("AB",), 1, 1), (("BC", "DC"), 0, 2)]
    assert [len(g.dependent) + len(g.inputs) for g in found.groups] == {
        "planar": [3, 6], "natural": [4, 8], "quaternion": [7, 14]
    }[kinds]  # fmt: skip


def test_the_input_decides_the_order() -> None:
    found = decomposed("n_four_bar", ["bar1.theta"], n=2)
    assert notation(found) == [
        (("bar1",), 1, 1), (("bar0", "coupler0"), 0, 2), (("bar2", "coupler1"), 0, 2)
    ]  # fmt: skip


@pytest.mark.slow
def test_a_driver_is_an_input() -> None:
    model = four_bar(angles=(1.2, 0.1, 1.4), driver=lambda t: 1.2 + 2.0 * t)
    found = decomposed(model, [])
    assert found.input_names == ()
    assert notation(found) == [(("AB",), 1, 1), (("BC", "DC"), 0, 2)]
    assert found.groups[0].drivers == 1


def test_andrews_squeezer_is_a_crank_and_three_dyads() -> None:
    found = decomposed("andrews")
    assert notation(found) == [
        (("K1",), 1, 1), (("K2", "K3"), 0, 2), (("K4", "K5"), 0, 3), (("K6", "K7"), 0, 3)
    ]  # fmt: skip
    text = groups_text(found)
    assert "SG-2  level 2  (2, 0)  K2, K3 by F, B, E2" in text and "g2 -> g4;" in text


def test_redundant_rows_stay_with_the_group_that_closes_the_loop() -> None:
    found = decomposed("n_four_bar", n=1, coordinates="quaternion")
    crank, dyad = found.groups
    assert (crank.redundant, dyad.redundant) == (0, 3)
    bricard = decomposed("bricard")
    assert sum(g.redundant for g in bricard.groups) == 1 and len(bricard.groups) == 2


def test_every_row_and_coordinate_is_in_one_group() -> None:
    system = load("andrews", layout="loop")
    found = decompose(system, 0.0, assemble(system).q)
    rows = np.concatenate([g.rows for g in found.groups])
    columns = np.concatenate([[*g.dependent, *g.inputs] for g in found.groups])
    assert sorted(rows) == sorted(system.work.rows) and sorted(columns) == list(range(system.n_q))
    known: set[int] = set(found.inputs.tolist())
    for group in found.groups:
        assert set(group.known.tolist()) <= known
        known |= set(group.dependent.tolist())


@pytest.mark.parametrize("inputs, cause, remedy", [
    ([], "do not determine model 'n_four_bar': 'bar0', 'bar1', 'coupler0' stay movable",
     "Give 1 more input out of: 'bar0.x', 'bar0.theta'"),
    (["bar0.theta", "bar1.theta"], "are not independent: model 'n_four_bar' has 1 degree",
     "leave out one of"),
    (["bar0.y"], "do not determine|are not independent", ""),
    (["bar0.angle"], "has no coordinate 'bar0.angle'", ""),
    (["bar0.theta", "bar0.theta"], "named twice", "once"),
])  # fmt: skip
def test_inputs_that_do_not_fit(inputs: list[str], cause: str, remedy: str) -> None:
    with pytest.raises(OptionError, match=cause) as error:
        decomposed("n_four_bar", inputs, n=1)
    assert remedy in error.value.remedy


def test_elimination_by_a_small_matrix() -> None:
    rows = {0: {0: 1.0, 1: 2.0}, 1: {0: 2.0, 1: 4.0}, 2: {1: 1.0, 2: 1.0}, 3: {3: 5.0}}
    found = eliminate(rows, [0, 1, 2, 3], frozenset({3}), [0.0, 0.0, 0.0, 0.0])
    assert list(found.pivots) == [0, 2] and found.redundant == (1,) and found.contradicted == (3,)
    (free,) = {0, 1, 2} - set(found.pivots.values())
    assert found.moved(free) == [0, 1, 2]


@pytest.mark.slow
def test_friction_of_joints_is_refused() -> None:
    """Reactions are what groups eliminate: forces that read them are not left out in silence."""
    m = Model("rubbing", gravity=(0, -9.81, 0))
    before = m.ground.at()
    for k in range(8):
        rod = m.planar_body(f"rod{k}", 1.0, 0.1, position=(k, 0))
        pin = m.revolute(f"pin{k}", before, rod.at())
        before = rod.at(1, 0)
    quick = load(m, backend="c", layout="loop")
    assert groups_pay(quick)
    m.friction("rub", along=pin.angle, load=pin.load, coefficient=0.5, radius=0.1, creep=0.05)
    system = load(m, backend="c", layout="loop")
    assert not groups_pay(system)
    with pytest.raises(OptionError, match=r"'rubbing' depend on reactions .* groups eliminate"):
        simulate_by_groups(load_groups(m, backend="c"), (0, 0.1))
