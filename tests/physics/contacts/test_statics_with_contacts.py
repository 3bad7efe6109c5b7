"""Equilibria of what lies on something: no step of statics goes through what touches."""

from functools import cache

import numpy as np
import pytest

from mbdgen import Model, load, material, rectangle, statics
from mbdgen.errors import EquilibriumError
from mbdgen.runtime.system.system import System
from tests.physics.running import SOONEST, FloatArray

LENGTH, ELEMENTS, RADIUS, HEIGHT, WIDTH, YOUNG, DENSITY = 1.0, 18, 0.1, 2e-3, 2e-2, 1e9, 1500.0
STIFF = YOUNG * WIDTH * HEIGHT**3 / 12
LEFT, RIGHT = (4 + 0.5) / ELEMENTS - 0.5, (13 + 0.5) / ELEMENTS - 0.5
"""The middles of two elements, where one of five places of Gauss is: -0.25 and 0.25 m."""


@cache
def wire(held: str, *discs: float) -> System:
    """A straight wire from -0.5 to 0.5 m that touches the tops of discs, held at its left end."""
    m = Model("wire", gravity=(0, 0, 0))
    g = m.parameter("g", 9.81)
    m.gravity = (0, -g, 0)
    half = LENGTH / 2
    beam = m.beam("wire", [(-half, RADIUS, 0), (half, RADIUS, 0)], rectangle(HEIGHT, WIDTH),
                  material(YOUNG, DENSITY), elements=ELEMENTS, kind="belt")  # fmt: skip
    getattr(m, held)("end", m.ground.at(-half, RADIUS), beam.start)
    for k, x in enumerate(discs):
        m.beam_disc(f"on_{k}", beam, m.ground.at(x, 0), radius=RADIUS, stiffness=1e7)
    for k in range(ELEMENTS + 1):
        m.output(f"p{k}", beam.at(LENGTH * k / ELEMENTS))
    return load(m, layout="loop", backend=SOONEST)


def nodes(system: System, **how: int) -> FloatArray:
    """The nodes of the wire in a stable equilibrium, one in a row."""
    found = statics(system, **how)
    assert found.stability == "stable"
    return np.array([[found.outputs[f"p{k}.{c}"] for c in "xy"] for k in range(ELEMENTS + 1)])


@pytest.mark.slow
def test_a_wire_on_a_pin_and_two_discs_sags_as_a_beam_on_three_supports() -> None:
    """The theorem of three moments; half of the span between the discs."""
    system, g = wire("revolute", LEFT, RIGHT).copy(), 0.2
    system.set(g=g)
    load_, first, second, over = DENSITY * HEIGHT * WIDTH * g, LEFT + 0.5, RIGHT - LEFT, 0.5 - RIGHT
    end = -load_ * over**2 / 2
    middle = (-load_ * (first**3 + second**3) / 4 - end * second) / (2 * (first + second))
    sag = (5 * load_ * second**2 / 384 + (middle + end) / 16) * second**2 / STIFF
    assert nodes(system)[9, 1] - RADIUS == pytest.approx(-sag, rel=1e-2)


@pytest.mark.slow
def test_a_heavy_wire_stays_on_its_discs() -> None:
    """Without a look at what lies between two positions it hung from its pin, called stable."""
    found = nodes(wire("revolute", LEFT, RIGHT))
    for centre in (LEFT, RIGHT):
        assert np.hypot(found[:, 0] - centre, found[:, 1]).min() > RADIUS - 1e-4
    assert found[9, 1] > RADIUS - 0.01 and found[-1] == pytest.approx([0.49, 0.07], abs=0.01)


@pytest.mark.slow
def test_a_clamped_wire_hangs_over_its_disc() -> None:
    """By itself and in steps: the same place, to the right of the disc and around it."""
    system = wire("fixed", 0.0)
    found, by_steps = nodes(system), nodes(system, steps=20)
    assert np.hypot(*found.T).min() > RADIUS - 1e-3
    assert found[-1, 0] > 0.3 and found[-1, 1] < -0.1
    np.testing.assert_allclose(by_steps, found, atol=1e-7)


@cache
def pulled(layout: str) -> System:
    """A sphere above another one, pulled towards a place far below it."""
    m = Model("pulled", gravity=(0, 0, 0))
    hard, size = m.parameter("hard", 1e5), {"inertia": (2, 2, 2), "radius": 1}
    ball = m.body("ball", 5, position=(0, 0, 3), **size)
    m.prismatic("guide", m.ground, ball, at=(0, 0, 3), axis=(0, 0, 1))
    below = m.body("below", 5, position=(0, 0, 0), **size)
    m.fixed("foot", m.ground, below, at=(0, 0, 0))
    m.sphere_sphere("touch", ball, below, stiffness=hard)
    m.spring("pull", m.ground.at(0, 0, -10), ball.at(), stiffness=50, length=5)
    return load(m, layout=layout, backend=SOONEST)


@pytest.mark.slow
@pytest.mark.parametrize("layout", ["flat", "loop"])
@pytest.mark.parametrize("stable", [False, True])
def test_a_sphere_rests_on_another_one(layout: str, stable: bool) -> None:
    """At K d^(3/2) = k (z + 5)."""
    found = statics(pulled(layout), stable=stable)
    z = float(found.state.q[2])
    assert found.outputs["touch.depth"] == pytest.approx((50 * (z + 5) / 1e5) ** (2 / 3), rel=1e-9)
    assert 1.9 < z < 2.0 and found.stability == "stable"


@pytest.mark.slow
def test_an_equilibrium_behind_a_contact_is_refused() -> None:
    """A sphere so soft that it holds nothing would go through the other one, centre and all."""
    system = pulled("loop").copy()
    system.set(hard=1.0)
    with pytest.raises(EquilibriumError, match="bodies of contact 'touch' go through each"):
        statics(system)
