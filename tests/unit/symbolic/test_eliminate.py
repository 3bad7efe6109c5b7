"""Linear constraints solved for coordinates: counts, motions, reactions, and what is refused."""

from typing import Any

import numpy as np
import pytest

from mbdgen import Model, load, simulate
from mbdgen.errors import BuildError, ModelError
from mbdgen.language.read import read
from tests.quickest import quickest
from tests.unit.language.test_sharing import hinge, three_bars


def moved(model: Any, **options: Any) -> Any:
    layout = "flat" if options.get("eliminate") else "loop"
    system = load(model, layout=layout, backend=quickest(), **options)
    return simulate(system, (0, 0.2), method="rk4", h=1e-3, progress=False)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("model", "expected"),
    [
        # Three points in common with the ground or each other: 12 - 6 coordinates, 3 lengths.
        (three_bars(False), (6, 3)),
        # The ball and the point of the hinge are 6 equations; its axis is not constant: 2 stay.
        (hinge(False), (18, 14)),
    ],
    ids=["plane", "space"],
)
def test_counts_and_motion(model: Model, expected: tuple[int, int]) -> None:
    whole, left = moved(model), moved(model, eliminate=True)
    assert (left.q.shape[1], left.lam.shape[1]) == expected
    assert left.info.dof == whole.info.dof
    for name in ("tip.x", "energy.kinetic", "energy.potential"):
        np.testing.assert_allclose(left[name], whole[name], atol=1e-8, err_msg=name)


@pytest.mark.slow
def test_all_coordinates_and_reactions_are_known() -> None:
    """What an eliminated joint transmits is put together from the rows that it balances."""
    model = read("slider_crank", coordinates="natural")
    whole, left = moved(model), moved(model, eliminate=True)
    assert (left.q.shape[1], left.lam.shape[1]) == (4, 3)
    for name in ("guide_force.y", "rod.xA", "rod.xA.dot", "slider_acceleration"):
        size = np.abs(whole[name]).max()
        np.testing.assert_allclose(left[name], whole[name], atol=1e-7 * size, err_msg=name)


@pytest.mark.slow
def test_parameters_that_coefficients_depend_on_stay_changeable() -> None:
    m = read("double_pendulum", coordinates="natural")
    system = load(m, layout="flat", eliminate=True, backend=quickest())
    system.set(L1=1.3, m2=2.0)
    left = simulate(system, (0, 0.2), method="rk4", h=1e-3, progress=False)
    other = load(
        read("double_pendulum", {"L1": 1.3, "m2": 2.0}, "natural"),
        layout="loop",
        backend=quickest(),
    )
    whole = simulate(other, (0, 0.2), method="rk4", h=1e-3, progress=False)
    np.testing.assert_allclose(left["tip2.x"], whole["tip2.x"], atol=1e-8)


def test_planar_bodies_have_linear_constraints_too() -> None:
    """A slider on a straight guide along x: height and angle are numbers."""
    m = Model("slider", gravity=(0, -9.81, 0))
    slider = m.planar_body("slider", 1.0, 0.1)
    m.prismatic("guide", m.ground, slider, axis=(1, 0, 0))
    m.spring("spring", m.ground.at(-1), slider.at(), stiffness=10.0)
    whole, left = moved(m), moved(m, eliminate=True)
    np.testing.assert_allclose(left["slider.x"], whole["slider.x"], atol=1e-10)
    assert left.q.shape[1] < 3


def test_contradictions_are_found() -> None:
    m = Model("torn", coordinates="natural")
    a = m.body("arm", 1.0, 0.1, length=1.0)
    m.revolute("one", m.ground.at(0, 0), a.at(0, 0))
    m.revolute("two", m.ground.at(0.5, 0), a.at(0, 0))
    with pytest.raises(ModelError, match=r"Equation .* of 'torn' contradicts others by 0\.5"):
        load(m, layout="flat", eliminate=True)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"layout": "loop"}, "it is done in straight lines"),
        ({"sensitivities": True}, "there would be no sensitivities"),
        ({"reduced": True}, "reduced leaves out other coordinates"),
    ],
)
def test_what_cannot_be(options: dict[str, Any], message: str) -> None:
    with pytest.raises(BuildError, match=message):
        load(three_bars(False), eliminate=True, **options)


def beads(tied: bool = False) -> Model:
    """A bead that moves along a straight line at a constant speed, or is held by the ground."""
    m = Model("beads", gravity=(0, 0, 0))
    bead = m.point_mass("bead", 1.0, velocity=(0 if tied else 1, 0, 0))
    place = m.ground.along(
        "place", lambda s: (s, 0, 0), 0, speed=0 if tied else 1, ends=(-0.5, 0.15)
    )
    m.spherical("slide", place, bead.origin)
    if tied:
        m.spherical("tie", m.ground.at(), bead.origin)
    return m


def test_places_keep_their_numbers() -> None:
    left = moved(beads(), eliminate=True)
    assert left.q.shape[1] == 1 and "leaves its path of -0.5 to 0.15 m" in left.message
    np.testing.assert_allclose(left.t[-1], 0.15, atol=1e-8)


def test_places_whose_numbers_are_determined_are_refused() -> None:
    with pytest.raises(BuildError, match=r"they determine where 'place.s' is on its path"):
        load(beads(tied=True), layout="flat", eliminate=True, backend=quickest())
