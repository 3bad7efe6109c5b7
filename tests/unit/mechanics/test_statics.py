"""Equilibria against closed forms, their stability, and what has none."""

from typing import Any

import numpy as np
import pytest
from scipy.optimize import brentq

from mbdgen import Model, load, modes, statics
from mbdgen.errors import EquilibriumError
from mbdgen.runtime.system.system import System
from tests.quickest import quickest


def catenary(n: int, span: float) -> float:
    """Depth of the middle of a chain of n links of length 1 between pins of equal height.

    Balance of moments on link k: its slope is ``w (k - (n - 1)/2) / H`` with the horizontal force
    H, which the span determines.
    """
    slope = np.arange(n) - 0.5 * (n - 1)

    def width(H: float) -> float:
        return float((1 / np.sqrt(1 + (slope / H) ** 2)).sum())

    H = brentq(lambda H: width(H) - span, 1e-6, 1e4, xtol=1e-14)
    rises = (slope / H) / np.sqrt(1 + (slope / H) ** 2)
    return float(rises[: n // 2].sum())


def check_chain(n: int, span: float) -> None:
    found = statics(load("chain", n=n, span=span, layout="loop"))
    assert found.stability == "stable"
    assert found.outputs["middle.z"] == pytest.approx(catenary(n, span), rel=1e-9)
    assert found.outputs["middle.x"] == pytest.approx(span / 2, rel=1e-9)


def test_short_chain_hangs_as_a_catenary() -> None:
    check_chain(8, 5.0)


@pytest.mark.slow
def test_hundred_links() -> None:
    check_chain(100, 60.0)
    # The chain of infinitely many links: 2 c sinh(30/c) = 100; the error falls with 1/n^2.
    c = brentq(lambda c: 2 * c * np.sinh(30 / c) - 100, 5, 100)
    depth = c * (np.cosh(30 / c) - 1)
    assert -catenary(100, 60.0) == pytest.approx(depth, rel=1e-3)


def standing_rod(angle: float = np.pi / 2) -> System:
    m = Model("standing_rod", gravity=(0, -9.81, 0), coordinates="planar")
    rod = m.body("rod", mass=1, inertia=0.1, centre_of_mass=(0.5, 0), angle=angle)
    m.revolute("pin", m.ground.at(), rod.at())
    m.output("top", rod.at(1))
    return load(m, layout="loop")


def test_unstable_equilibrium_is_flagged() -> None:
    found = statics(standing_rod())
    assert found.stability == "unstable" and found.method == "newton"
    # m g l / J about the pin.
    np.testing.assert_allclose(found.stiffness, [-0.5 * 9.81 / 0.35], rtol=1e-10)
    assert modes(standing_rod(), at=found.state).eigenvalues.real.max() > 1.0


@pytest.mark.parametrize("angle", [np.pi / 2, 1.2, 0.0, -3.0])
def test_relaxation_goes_down(angle: float) -> None:
    found = statics(standing_rod(angle), stable=True)
    assert found.stability == "stable" and found.method == "relaxation"
    assert found.outputs["top.y"] == pytest.approx(-1.0, abs=1e-9)


def test_nothing_holds_a_falling_body() -> None:
    m = Model("falling", gravity=(0, -9.81, 0), coordinates="planar")
    m.body("stone", mass=2, inertia=0.1)
    with pytest.raises(EquilibriumError, match=r"No equilibrium of 'falling'.*'stone: force y'"):
        statics(load(m, layout="loop"))


def test_spring_beyond_its_hold() -> None:
    """A snap-through: flat springs hold 10 N, more than that goes to the far equilibrium."""
    m = Model("truss", gravity=(0, -9.81, 0))
    mass = m.point_mass("top", mass=m.parameter("mass", 0.5), position=(0, 0.3, 0))
    m.point_in_plane("plane", m.ground, mass, axis=(0, 0, 1))
    for k, x in enumerate((-1.0, 1.0)):
        m.spring(f"s{k}", m.ground.at(x, 0, 0), mass.at(), stiffness=1000, length=1.09**0.5)
    m.output("height", mass.at().y)
    system = load(m, layout="loop")
    near = statics(system)
    assert near.stability == "stable" and 0.0 < near.outputs["height"] < 0.3
    system.set(mass=5.0)
    far = statics(system, stable=True)
    assert far.stability == "stable" and far.outputs["height"] < -0.3
    for found, mass_ in ((near, 0.5), (far, 5.0)):
        y = found.outputs["height"]
        length = np.hypot(1.0, y)
        force = 2 * 1000 * (length - 1.09**0.5) * y / length
        assert force == pytest.approx(-mass_ * 9.81, rel=1e-8)


@pytest.mark.parametrize("options", [{"coordinates": "relative"}, {"eliminate": True}])
def test_coordinates_that_states_of_bodies_follow_from(options: dict[str, Any]) -> None:
    """Behind the outputs stand these states, which an equilibrium does not tell."""
    kind = {} if "coordinates" in options else {"coordinates": "natural"}
    system = load("double_pendulum", layout="flat", backend=quickest(), **kind, **options)
    found = statics(system, stable=True)
    assert set(found.outputs) == set(system.names.outputs)
    assert found.outputs["tip2.y"] == pytest.approx(-2.0, abs=1e-6)
