"""Contacts of single pairs against impacts in closed form and integrated by hand."""

import math
from functools import cache
from typing import Any

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.optimize import brentq
from scipy.special import gamma

from mbdgen import Model, load, simulate
from mbdgen.contact_laws.base import Pair
from mbdgen.contact_laws.gonthier import Gonthier
from mbdgen.runtime.system.system import System
from tests import reference

G = 9.81
MASS, STIFFNESS, SPEED = 5.0, 1e6, 2.0


def run(system: System, end: float, **options: Any) -> Any:
    result = simulate(system, (0, end), progress=False, **options)
    assert result.success, result.message
    return result


@cache
def weightless(law: str) -> System:
    """A ball that flies against a wall, without gravity; it touches it after half a second."""
    m = Model("weightless", gravity=(0, 0, 0))
    c = 1.0 if law == "hertz" else m.parameter("c", 1.0)
    ball = m.body(
        "ball", MASS, (2, 2, 2), position=(0, 0, 1.0 + SPEED / 2), velocity=(0, 0, -SPEED)
    )
    given = {"radius": 1.0, "stiffness": STIFFNESS, "law": law, "restitution": c}
    m.sphere_plane("wall", ball, m.ground, normal=(0, 0, 1), **given)
    return load(m)


def impact_of(law: str, c: float, rtol: float = 1e-9) -> Any:
    """Return the run of one impact with a restitution that the law is given."""
    system = weightless(law)
    if law != "hertz":
        system.set(c=c)
    return run(system, 1.0, method="rk4", rtol=rtol)


@pytest.fixture(scope="module")
def ball() -> System:
    return load("falling_ball")


@pytest.mark.representatives(id=["options1-0.002-0.001", "options2-1e-07-1e-07"])
@pytest.mark.parametrize(
    ("options", "instant", "relative"),
    [
        ({"method": "rk4", "h": 1e-2}, 3e-5, 1e-5),
        ({"method": "newmark", "h": 1e-2}, 2e-3, 1e-3),
        ({"method": "rk4", "rtol": 1e-9}, 1e-7, 1e-7),
    ],
)
def test_falling_ball(
    ball: System, options: dict[str, Any], instant: float, relative: float
) -> None:
    """Against the reference: sixty steps in an impact, by orders 4 and 2, or by tolerances."""
    known = reference.load("BALL1").meta["impacts"]["rows"]
    result = run(ball, 4.0, **options)
    assert len(result.contacts) == 3 == sum(row[0] < 4.0 for row in known)
    for impact, (begin, speed, duration, after, *_) in zip(result.contacts, known, strict=False):
        assert impact.begin == pytest.approx(begin, abs=instant)
        assert impact.approach == pytest.approx(speed, rel=relative)
        assert impact.end - impact.begin == pytest.approx(duration, rel=relative)
        assert impact.departure == pytest.approx(after, rel=relative)
    assert result.contacts[0].begin == pytest.approx(math.sqrt(2 * 4 / G), abs=1e-12)


@pytest.mark.parametrize(
    ("law", "chi"),
    [
        ("hunt-crossley", lambda c: 1.5 * (1 - c)),
        ("lankarani-nikravesh", lambda c: 0.75 * (1 - c * c)),
        ("flores", lambda c: 1.6 * (1 - c) / c),
    ],
)
@pytest.mark.parametrize("c", [0.9, 0.5])
def test_effective_restitution(law: str, chi: Any, c: float) -> None:
    """The root of the integral of an impact; errors are 1e-9 m of a depth of 3 mm."""
    x = chi(c)
    g = lambda v: v / x - math.log(1 + x * v) / x**2  # noqa: E731
    expected = brentq(lambda e: g(-e) - g(1.0), 1e-9, min(1.0, 1 / x) - 1e-12)
    (impact,) = impact_of(law, c).contacts
    assert impact.restitution == pytest.approx(expected, rel=1e-6)
    assert impact.approach == pytest.approx(SPEED, rel=1e-12)


@pytest.mark.parametrize("c", [0.99, 0.8, 0.3, 0.05])
def test_gonthier_has_the_restitution_that_it_is_given(c: float) -> None:
    """Its factor makes the integral of an impact come out at -c."""
    x = Gonthier().factor(Pair(c, 1.0, 1.5, 1.0))
    after = solve_ivp(
        lambda t, y: [y[1], -(max(y[0], 0.0) ** 1.5) * (1 + x * y[1])],
        (0, 20),
        [0.0, 1.0],
        method="DOP853",
        rtol=1e-11,
        atol=1e-13,
    ).y[1, -1]
    assert after == pytest.approx(-c, rel=1e-7)


def test_hertz_by_the_closed_form() -> None:
    """Duration and largest force of an elastic impact; the speed comes back."""
    speed, n = SPEED, 1.5
    result = impact_of("hertz", 1.0, rtol=1e-10)
    (impact,) = result.contacts
    depth = ((n + 1) * MASS * speed**2 / (2 * STIFFNESS)) ** (1 / (n + 1))
    x = 1 / (n + 1)
    duration = depth / speed * 2 * math.sqrt(math.pi) * gamma(1 + x) / gamma(0.5 + x)
    assert impact.end - impact.begin == pytest.approx(duration, rel=1e-8)
    assert duration == pytest.approx(2.9432 * depth / speed, rel=1e-4)
    assert impact.restitution == pytest.approx(1.0, rel=1e-7)
    # The largest recorded force: the steps are 1/30 of the impact near its middle.
    assert result["wall.force"].max() == pytest.approx(STIFFNESS * depth**n, rel=1e-2)


def test_kelvin_voigt_by_the_damped_vibration() -> None:
    """The force vanishes before the depth does: the rest of the way is a flight."""
    c, speed = 0.7, SPEED
    (impact,) = impact_of("kelvin-voigt", c).contacts
    zeta = -math.log(c) / math.hypot(math.pi, math.log(c))
    w = math.sqrt(STIFFNESS / MASS)

    def equations(t: float, y: Any) -> list[float]:
        return [y[1], min(-(w**2) * y[0] - 2 * zeta * w * y[1], 0.0)]

    done = lambda t, y: y[0] + (t == 0)  # noqa: E731
    done.terminal = True  # type: ignore[attr-defined]
    own = solve_ivp(
        equations, (0, 1), [0, speed], events=done, method="DOP853", rtol=1e-11, atol=1e-14
    )
    assert impact.departure == pytest.approx(-own.y_events[0][0][1], rel=1e-6)
    assert impact.departure > c * speed


LAWS = ["hertz", "hunt-crossley", "lankarani-nikravesh", "flores", "kelvin-voigt"]


@pytest.mark.parametrize("law", LAWS)
def test_energy_never_grows(law: str) -> None:
    """Kinetic and elastic energy fall in every step; the loss is the work of the resistance."""
    result = impact_of(law, 0.6)
    energy = result.energies[:, 0] + result.energies[:, 1]
    assert np.diff(energy).max() < 1e-7 * energy[0]
    work = result.energies[:, 2]
    assert energy[-1] - energy[0] == pytest.approx(work[-1], abs=2e-3 * energy[0])
    assert (energy[-1] < 0.9 * energy[0]) == (law != "hertz")


@cache
def on_slope(slope: float, mu: float) -> System:
    """A point on a slope, held by bristles or sliding down."""
    gravity = (G * math.sin(slope), 0, -G * math.cos(slope))
    m = Model("slope", gravity=gravity)
    block = m.point_mass("block", MASS, position=(0, 0, 1e-6))
    bristles = {"bristle_stiffness": 1e4, "bristle_damping": 50.0}
    rough = {"coefficient": mu, "static": 1.2 * mu, "fade": 0.05, **bristles}
    soft = {"stiffness": STIFFNESS, "law": "kelvin-voigt", "restitution": 0.2}
    m.point_plane("floor", block, m.ground, normal=(0, 0, 1), friction="lugre", **soft, **rough)
    return load(m)


@pytest.mark.slow
def test_bristles_hold_a_block_without_creep() -> None:
    slope, mu = 0.3, 0.5
    result = run(on_slope(slope, mu), 1.0, method="rk4", h=1e-3)
    weight = MASS * G * math.sin(slope)
    assert result["floor.friction.x"][-1] == pytest.approx(-weight, rel=1e-6)
    assert abs(result["block.x.dot"][-1]) < 1e-8
    # From here on it is where the bend of the bristles puts it: nothing creeps.
    assert np.ptp(result["block.x"][-200:]) < 1e-9


@pytest.mark.slow
def test_bristles_that_slip_pull_by_the_coefficient_of_motion() -> None:
    slope, mu = 0.5, 0.2
    result = run(on_slope(slope, mu), 0.6, method="rk4", h=1e-3)
    speed = result["block.x.dot"]
    found = (speed[-1] - speed[-100]) / (result.t[-1] - result.t[-100])
    assert found == pytest.approx(G * (math.sin(slope) - mu * math.cos(slope)), rel=1e-6)


@pytest.mark.slow
def test_bristles_bring_a_ball_that_slides_to_rolling() -> None:
    """Whatever the friction is, a homogeneous ball keeps 5/7 of its speed."""
    m = Model("dropped", gravity=(0, 0, -G))
    moment = 0.4 * MASS
    ball = m.body("ball", MASS, (moment,) * 3, position=(0, 0, 1.5), velocity=(2, 0, 0), radius=1.0)
    soft = {"stiffness": STIFFNESS, "restitution": 0.5}
    m.sphere_plane(
        "floor", ball, m.ground, normal=(0, 0, 1), friction="lugre", coefficient=0.3, **soft
    )
    result = run(load(m), 0.6, method="rk4", h=1e-3)
    assert result["ball.x.dot"][-1] == pytest.approx(2 * 5 / 7, rel=1e-4)


@pytest.mark.parametrize("plate", [None, 100.0, 0.01])
def test_what_a_plate_weighs_that_is_fixed_changes_nothing(plate: float | None) -> None:
    m = Model("plate", gravity=(0, 0, 0))
    ball = m.point_mass("ball", MASS, position=(0, 0, 0.1), velocity=(0, 0, -SPEED))
    ground = m.ground
    if plate is not None:
        ground = m.body("plate", plate, (1, 1, 1))
        m.fixed("held", m.ground, ground, at=(0, 0, 0))
    law = {"law": "kelvin-voigt", "restitution": 0.5, "stiffness": STIFFNESS}
    contact = m.point_plane("floor", ball, ground, normal=(0, 0, 1), **law)
    assert contact.element.mass == MASS
