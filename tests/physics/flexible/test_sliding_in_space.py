"""Sliders in space that turn about no, one or two axes: stiff guides are rigid ones, full turns."""

from math import cos, pi, sin
from typing import Any

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from sympy import cos as cosine
from sympy import sin as sine

from mbdgen import Model, Result, load, material, rectangle, simulate
from tests.physics.running import SOONEST, FloatArray

GRAVITY, MASS, ARM = 9.81, 0.2, 0.1
START = 0.3
INERTIA = (1e-3, 2e-3, 3e-3)
JOINTS: dict[str, tuple[str, dict[str, Any]]] = {
    "fixed": ("fixed", {}),
    "about the guide": ("revolute", {"axis": (1, 0, 0)}),
    "across the guide": ("revolute", {"axis": (0, 1, 0)}),
    "about both": ("universal", {"axis_a": (1, 0, 0), "axis_b": (0, 1, 0)}),
}


def moved(m: Model, t: float, h: float) -> Result:
    found = simulate(load(m, layout="loop", backend=SOONEST), (0, t), h=h, progress=False)
    assert found.success, found.message
    return found


def guided(joint: str, young: float | None, kind: str = "exact-3d", **start: Any) -> Model:
    """A body that hangs below a horizontal guide along x: a beam, or a line of the ground."""
    m = Model("guided", gravity=(0.6 * GRAVITY, 0, -0.8 * GRAVITY))
    speed = start.pop("speed", 0.0)
    if young is None:
        place = m.ground.along(
            "place", lambda s: (s, 0, 0), START, normal=(0, 1, 0), speed=speed, ends=(0, 1)
        )
    else:
        law = material(young=young, density=1000.0)
        beam = m.beam(
            "beam", [(0, 0, 0), (1, 0, 0)], rectangle(0.05, 0.05), law, elements=2, kind=kind
        )
        m.fixed("left", m.ground.at(), beam.start)
        m.fixed("right", m.ground.at(1, 0, 0), beam.end)
        place = beam.along("place", START, speed=speed)
    # Beside the guide too, so that it turns as soon as it may.
    body = m.body("body", MASS, INERTIA, position=(START, 0.02, -ARM), **start)
    what, axes = JOINTS[joint]
    getattr(m, what)("slide", place, body.at(0, -0.02, ARM), **axes)
    m.output("s", place.s)
    m.output("centre", body.origin)
    return m


@pytest.mark.parametrize("joint", [pytest.param(j, marks=pytest.mark.slow) for j in JOINTS])
def test_a_stiff_guide_is_a_rigid_one(joint: str) -> None:
    """What bends is in inverse proportion to the stiffness: 8e-5 m by its weight for 1e9 Pa."""
    rigid = moved(guided(joint, None), 0.2, 1e-3)
    assert rigid.info.dof == {"fixed": 1, "about both": 3}.get(joint, 2)
    gaps = []
    for young in (1e9, 1e10):
        found = moved(guided(joint, young), 0.2, 1e-3)
        names = ("s", "centre.x", "centre.y", "centre.z")
        gaps.append(max(np.abs(found[x] - rigid[x]).max() for x in names))
    assert np.abs(rigid["s"] - START).max() > 0.05
    assert gaps[0] < 5e-4 and 7 < gaps[0] / gaps[1] < 13, gaps


def pendulum(t: FloatArray, rate: float) -> FloatArray:
    """The angle of a body that turns about a horizontal axis, from below."""
    weight = MASS * GRAVITY * ARM / (INERTIA[0] + MASS * ARM**2)
    found = solve_ivp(
        lambda _, y: [y[1], -weight * sin(y[0])], (0, t[-1]), [0, rate], t_eval=t,
        rtol=1e-10, atol=1e-12,
    )  # fmt: skip
    angle: FloatArray = found.y[0]
    return angle


@pytest.mark.representatives(id="about the guide-rigid")
@pytest.mark.parametrize("guide", ["rigid", pytest.param("beam", marks=pytest.mark.slow)])
@pytest.mark.parametrize("joint", ["about the guide", "about both"])
def test_a_full_turn_about_the_guide(joint: str, guide: str) -> None:
    """It turns as a pendulum while it slides from element to element at a constant speed.

    The published pair of equations for a turn about the tangent is singular after a quarter of it.
    Newmark's angle of 20 rad/s lags by (20 h)^2/12 of itself; a beam gives way by 1e-6 m.
    """
    rate, speed, h = 20.0, 0.5, 5e-4
    m = Model("turning", gravity=(0, 0, -GRAVITY))
    if guide == "rigid":
        place = m.ground.along(
            "place", lambda s: (s, 0, 0), START, normal=(0, 1, 0), speed=speed, ends=(0, 1)
        )
    else:
        law = material(young=1e12, density=1000.0)
        beam = m.beam(
            "beam", [(0, 0, 0), (1, 0, 0)], rectangle(0.05, 0.05), law, elements=2,
            kind="exact-3d",
        )  # fmt: skip
        m.fixed("left", m.ground.at(), beam.start)
        m.fixed("right", m.ground.at(1, 0, 0), beam.end)
        place = beam.along("place", START, speed=speed)
    body = m.body(
        "body", MASS, INERTIA, position=(START, 0, -ARM), angular_velocity=(rate, 0, 0),
        velocity=(speed, rate * ARM, 0),
    )  # fmt: skip
    what, axes = JOINTS[joint]
    getattr(m, what)("slide", place, body.at(0, 0, ARM), **axes)
    m.output("s", place.s)
    m.output("centre", body.origin)
    found = moved(m, 0.5, h)
    angle = pendulum(found.t, rate)
    assert angle[-1] > 2 * pi
    exact = np.array([START + speed * found.t, ARM * np.sin(angle), -ARM * np.cos(angle)])
    gap = np.abs(np.array([found["s"], found["centre.y"], found["centre.z"]]) - exact).max()
    assert gap < 2e-5


@pytest.mark.slow
@pytest.mark.parametrize(
    ("what", "axes", "turning"),
    [
        ("fixed", {}, INERTIA[1]),
        ("revolute", {"axis": (0, 1, 0)}, 0.0),
        ("universal", {"axis_a": (0, 1, 0), "axis_b": (0, 0, 1)}, 0.0),
    ],
)
def test_a_full_turn_on_a_ring(what: str, axes: dict[str, Any], turning: float) -> None:
    """A body whose centre runs around in a vertical ring; it turns with the ring if it has to.

    (m R^2 + J) phi'' = -m g R cos(phi)
    """
    radius, rate = 0.5, 12.0
    m = Model("ring", gravity=(0, 0, -GRAVITY))
    place = m.ground.along(
        "place", lambda s: (radius * cosine(s), 0, radius * sine(s)), 0.0, normal=(0, 1, 0),
        speed=rate,
    )  # fmt: skip
    body = m.body(
        "body", MASS, INERTIA, position=(radius, 0, 0), velocity=(0, 0, radius * rate),
        angular_velocity=(0, -rate if turning else 0.0, 0),
    )  # fmt: skip
    getattr(m, what)("slide", place, body.origin, **axes)
    m.output("s", place.s)
    found = moved(m, 1.0, 1e-3)
    weight = MASS * GRAVITY * radius / (MASS * radius**2 + turning)
    exact = solve_ivp(
        lambda _, y: [y[1], -weight * cos(y[0])], (0, 1), [0, rate], t_eval=found.t,
        rtol=1e-10, atol=1e-12,
    ).y[0]  # fmt: skip
    assert exact[-1] > 2 * pi
    # (12 h)^2/12 of 10 rad, a little more where it is faster.
    assert np.abs(found["s"] - exact).max() < 3e-4
    assert found.counters.energy_drift < 1e-4 * found["energy.kinetic"][0]
