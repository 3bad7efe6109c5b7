"""The angle between two bars: which product keeps it, and that it is kept."""

import numpy as np
import pytest

from mbdgen import Model, load, simulate
from tests.quickest import quickest


def two_bars(angle: float) -> Model:
    """Two bars on one pin, welded at an angle, that swing as one pendulum."""
    m = Model("bars", gravity=(0, -9.81, 0), coordinates="natural")
    one = m.body("one", 1.0, 0.1, centre_of_mass=(0.5, 0), angle=0.2)
    two = m.body("two", 1.0, 0.1, centre_of_mass=(0.5, 0), angle=0.2 + angle)
    m.revolute("pin", m.ground, one, at=(0, 0, 0), axis=(0, 0, 1))
    hinge = m.revolute("hinge", one.at(), two.at())
    m.bar_angle("weld", one.at(), two.at())
    m.output("between", hinge.angle)
    m.output("one", one.at(1.0))
    return m


@pytest.mark.parametrize(
    ("degrees", "by_cosine"),
    [(0, False), (30, False), (60, True), (90, True), (150, False), (180, False), (-100, True)],
)
def test_the_product_with_the_larger_slope_is_taken(degrees: float, by_cosine: bool) -> None:
    weld = two_bars(np.radians(degrees)).attached["weld"].element
    assert weld.by_cosine is by_cosine  # type: ignore[attr-defined]
    assert np.isclose(weld.angle, np.radians(degrees)) or abs(degrees) == 180  # type: ignore[attr-defined]


@pytest.mark.representatives(id="0")
@pytest.mark.parametrize("degrees", [0, 90])
def test_the_angle_is_kept(degrees: float) -> None:
    """At either angle the product that is not taken would have no slope at all."""
    angle = np.radians(degrees)
    system = load(two_bars(angle), layout="loop", backend=quickest())
    result = simulate(system, (0, 0.5), method="rk4", h=1e-3, progress=False)
    assert result.info.dof == 1
    np.testing.assert_allclose(result["between"], angle, atol=1e-9)
    # A compound pendulum: theta'' = -m g d sin / I, from energy.
    total = result["energy.kinetic"] + result["energy.potential"]
    assert np.ptp(total) < 1e-9 * np.abs(total).max() + 1e-9
