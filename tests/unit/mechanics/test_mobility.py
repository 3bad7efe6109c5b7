"""Mobility: counting against rank, and what only an instant allows against what really moves."""

import numpy as np
import pytest

from mbdgen import Model, load, mobility
from tests.mechanisms import four_bar


def line_of_bars() -> Model:
    """Two bars in a line between two fixed pins: they can move for an instant only."""
    m = Model("shaky", gravity=(0, 0, 0), coordinates="planar")
    left = m.body("left", mass=1, inertia=1, position=(0, 0))
    right = m.body("right", mass=1, inertia=1, position=(1, 0))
    m.revolute("A", m.ground.at(0, 0), left.at(0, 0))
    m.revolute("B", left.at(1, 0), right.at(0, 0))
    m.revolute("C", right.at(1, 0), m.ground.at(2, 0))
    return m


def test_bricard_moves_though_counting_denies_it() -> None:
    found = mobility(load("bricard", layout="loop"))
    assert (found.count, found.instantaneous, found.finite) == (0, 1, 1)
    assert found.overconstrained and not found.singular
    assert found.nearby.redundant == 1
    assert "'J5' follows from those of 'J0', 'J1', 'J2', 'J3', 'J4'" in found.messages()[0]


def test_shaky_structure_does_not_move() -> None:
    found = mobility(load(line_of_bars(), layout="loop"))
    assert (found.count, found.instantaneous, found.finite) == (0, 1, 0)
    assert found.singular and not found.overconstrained
    assert any("shaky" in text for text in found.messages())


def test_flat_parallelogram_branches() -> None:
    """Two freedoms where all bars lie in one line, one on either branch."""
    flat = four_bar((1.0, 2.0, 1.0), base=2.0, angles=(0.0, 0.0, 0.0))
    found = mobility(load(flat, layout="loop"))
    assert (found.count, found.instantaneous, found.finite) == (1, 2, 1)
    assert found.singular and found.branches == (1,)
    regular = mobility(load("slider_crank", layout="loop"))
    assert not regular.singular and regular.finite == regular.instantaneous == 1


@pytest.mark.parametrize(
    ("driver", "freedoms", "driven"), [(None, 1, 0), (lambda t: np.pi / 2 + t, 0, 1)]
)
def test_drivers_are_counted(driver: object, freedoms: int, driven: int) -> None:
    found = mobility(load(four_bar(driver=driver), layout="loop"))
    assert (found.instantaneous, found.without_drivers, found.drivers) == (freedoms, 1, driven)


@pytest.mark.slow
def test_idle_spin_of_a_coupler() -> None:
    found = mobility(load("rssr_four_bar", coupler="ball", layout="loop"))
    assert (found.instantaneous, found.without_drivers) == (1, 2)
