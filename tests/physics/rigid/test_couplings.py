"""Screw, gears, rack, slots and cams: ratios over many turns, and hand-written equations."""

from typing import Any

import numpy as np
import pytest
import sympy
from scipy.integrate import solve_ivp

from mbdgen import Model, load, simulate

G = 9.81
Z = {"axis": (0, 0, 1)}


def run(model: Model, end: float, h: float = 1e-3, **options: Any) -> Any:
    result = simulate(load(model, layout="loop"), (0, end), h=h, progress=False, **options)
    assert result.success, result.message
    return result


def wheel(m: Model, name: str, moment: float, x: float = 0.0) -> tuple[Any, Any]:
    body = m.planar_body(name, 1.0, moment, position=(x, 0))
    return body, m.revolute(f"{name}_pin", m.ground, body, at=(x, 0), **Z)


@pytest.mark.slow
def test_screw_falls_like_an_inclined_plane() -> None:
    """m z'' + J (2 pi/p)^2 z'' = -m g; after many turns the angle is still that of the pitch."""
    m = Model("screw", gravity=(0, 0, -G))
    lead, mass, moment = -0.05, 2.0, 0.004
    nut = m.body("nut", mass, (1, 1, moment))
    thread = m.screw("thread", m.ground, nut, lead=lead, **Z)
    m.output("z", thread.displacement)
    m.output("angle", thread.angle)
    m.output("turn", thread.turn)
    result = run(m, 1.0, method="rk4")
    acceleration = -mass * G / (mass + moment * (2 * np.pi / lead) ** 2)
    assert result.info.dof == 1 and result.info.redundant == 0
    np.testing.assert_allclose(result["z"], acceleration * result.t**2 / 2, atol=1e-9)
    np.testing.assert_allclose(result["turn"], 2 * np.pi * result["z"] / lead, atol=1e-12)
    np.testing.assert_allclose(result["angle"], result["turn"], atol=1e-8)
    assert result["turn"][-1] > 18  # three turns


@pytest.mark.representatives(id="internal")
@pytest.mark.parametrize("mesh", ["external", "internal"])
def test_gear_keeps_its_ratio_over_many_turns(mesh: str) -> None:
    """(J1 + i^2 J2) theta'' = M, with a ratio that no number of turns makes whole."""
    ratio, torque = np.sqrt(2) / 3, 0.7
    m = Model("gears")
    first, pin = wheel(m, "first", 0.03)
    second, other = wheel(m, "second", 0.2, x=1.0)
    gear = m.gear("mesh", first=pin.angle, second=other.angle, ratio=ratio, mesh=mesh)
    m.torque("drive", first.at(), torque=(0, 0, torque))
    m.output("turn", gear.turn)
    m.output("rate", gear.turn_rate)
    m.output("one", first.angle)
    m.output("two", second.angle)
    result = run(m, 4.0)
    expected = torque / (0.03 + ratio**2 * 0.2) * result.t**2 / 2
    sign = 1 if mesh == "internal" else -1
    assert result.info.dof == 1
    assert expected[-1] > 60  # ten turns
    for name, factor in (("turn", 1), ("one", 1), ("two", sign * ratio)):
        np.testing.assert_allclose(result[name], factor * expected, atol=1e-8)
    np.testing.assert_allclose(
        result["rate"], torque / (0.03 + ratio**2 * 0.2) * result.t, atol=1e-9
    )
    moments = abs(result["mesh[0]"]), abs(result["mesh[1]"])
    np.testing.assert_allclose(moments[0], ratio * moments[1], atol=1e-9)  # balance of the turn
    np.testing.assert_allclose(
        moments[1], ratio * 0.2 * torque / (0.03 + ratio**2 * 0.2), atol=1e-9
    )


@pytest.mark.slow
def test_planetary_gear_by_hand() -> None:
    """Willis: planet on an arm rolls in a fixed ring; one freedom, J_eff from both speeds."""
    m = Model("planetary")
    ring, sun = 0.3, 0.1
    planet_radius = (ring - sun) / 2
    distance = sun + planet_radius
    arm, pin = wheel(m, "arm", 0.05)
    planet = m.planar_body("planet", 0.4, 0.001, position=(distance, 0))
    axle = m.revolute("axle", arm, planet, at=(distance, 0), **Z)
    m.gear("ring", first=pin.angle, second=axle.angle, ratio=ring / planet_radius)
    m.torque("drive", arm.at(), torque=(0, 0, 0.2))
    m.output("arm", arm.angle)
    m.output("planet", planet.angle)
    result = run(m, 2.0, method="rk4")
    speed = 1 - ring / planet_radius  # of the planet, that of the arm being 1: it rolls inside
    moment = 0.05 + 0.4 * distance**2 + 0.001 * speed**2
    expected = 0.2 / moment * result.t**2 / 2
    np.testing.assert_allclose(result["arm"], expected, atol=1e-8)
    np.testing.assert_allclose(result["planet"], speed * expected, atol=1e-8)


@pytest.mark.slow
def test_rack_over_many_turns() -> None:
    """(J/r^2 + m) x'' = F, and the force between the teeth is the multiplier."""
    m = Model("rack", gravity=(0, 0, 0))
    radius, push = 0.03, 1.5
    _, pin = wheel(m, "pinion", 0.002)
    bar = m.planar_body("bar", 1.2, 1.0)
    slide = m.prismatic("slide", m.ground, bar, axis=(1, 0, 0))
    m.rack_and_pinion("teeth", turn=pin.angle, shift=slide.displacement, radius=radius)
    m.force("push", bar.at(), force=(push, 0, 0))
    m.output("x", slide.displacement)
    m.output("turn", m.bodies["pinion"].angle)
    result = run(m, 2.0)
    acceleration = push / (1.2 + 0.002 / radius**2)
    np.testing.assert_allclose(result["x"], acceleration * result.t**2 / 2, atol=1e-10)
    np.testing.assert_allclose(result["turn"], result["x"] / radius, atol=1e-9)
    np.testing.assert_allclose(abs(result["teeth[0]"]), push - 1.2 * acceleration, atol=1e-9)
    assert result["turn"][-1] > 4 * np.pi


def swinging(kind: str, h: float) -> float:
    """A bead on the parabola y = x^2 in a slot that a joint makes; its x after 1.5 s."""
    m = Model("bead", gravity=(0, -G, 0))
    bead = m.body("bead", 0.7, coordinates="point", position=(0.8, 0.64, 0))
    if kind == "pin_in_slot":
        m.pin_in_slot("slot", m.ground.at(axis=(0, 0, 1), reference=(1, 0, 0)), bead.at(),
                      curve=lambda s: (s, s**2), start=0.8)  # fmt: skip
        m.point_in_plane("flat", m.ground, bead, **Z)
    else:
        m.point_on_curve("slot", m.ground.at(), bead.at(), curve=lambda s: (s, s**2, 0), start=0.8)
    m.output("s", m.attached["slot"].parameter)
    result = run(m, 1.5, h)
    assert result.info.dof == 1
    np.testing.assert_allclose(result["s"], result["bead.x"], atol=1e-11)
    return float(result["bead.x"][-1])


@pytest.mark.representatives(id="point_on_curve")
@pytest.mark.parametrize("kind", ["pin_in_slot", "point_on_curve"])
def test_bead_on_a_parabola(kind: str) -> None:
    """(1 + 4 x^2) x'' + 4 x x'^2 + 2 g x = 0; second order of the method, then its limit."""

    def slope(t: float, y: Any) -> list[float]:
        x, v = y
        return [v, -(4 * x * v**2 + 2 * G * x) / (1 + 4 * x**2)]

    exact = solve_ivp(slope, (0, 1.5), [0.8, 0.0], rtol=1e-11, atol=1e-13).y[0, -1]
    coarse, fine = (swinging(kind, h) for h in (2e-3, 1e-3))
    assert abs(fine - exact) < 2e-5
    assert (coarse - exact) / (fine - exact) == pytest.approx(4, abs=0.3)
    assert abs((4 * fine - coarse) / 3 - exact) < 1e-7


ECCENTRICITY, RADIUS, ROLLER, SPEED = 0.02, 0.05, 0.01, 30.0


def cam(follower: str) -> Any:
    """An eccentric disc lifts a follower along y."""
    m = Model("cam", gravity=(0, -G, 0))
    disc = m.planar_body("disc", 1.0, 0.01)
    m.revolute("pin", m.ground, disc, at=(0, 0), **Z)
    m.rotation_driver("motor", m.ground, disc, angle=SPEED * m.t, **Z)
    height = {"cam_follower": RADIUS + ROLLER, "flat_follower": RADIUS}[follower]
    tappet = m.planar_body("tappet", 0.2, 0.01, position=(0, height))
    m.prismatic("guide", m.ground, tappet, axis=(0, 1, 0))

    def profile(s: Any) -> Any:
        return ECCENTRICITY + RADIUS * sympy.cos(s), RADIUS * sympy.sin(s)

    if follower == "cam_follower":
        m.cam_follower("touch", disc.at(axis=(0, 0, 1), reference=(1, 0, 0)), tappet.at(),
                       curve=profile, radius=ROLLER, start=2.0)  # fmt: skip
    else:
        m.flat_follower("touch", disc.at(axis=(0, 0, 1), reference=(1, 0, 0)),
                        tappet.at(axis=(0, 1, 0)), curve=profile, start=1.6)  # fmt: skip
    m.output("lift", tappet.at().y)
    m.output("speed", tappet.at().vy)
    result = run(m, 1.0)
    assert result.info.dof == 0
    return result


@pytest.mark.slow
def test_roller_on_an_eccentric() -> None:
    """Its centre stays RADIUS + ROLLER from the centre of the disc, over five turns."""
    result = cam("cam_follower")
    x, y = ECCENTRICITY * np.cos(SPEED * result.t), ECCENTRICITY * np.sin(SPEED * result.t)
    lift = y + np.sqrt((RADIUS + ROLLER) ** 2 - x**2)
    np.testing.assert_allclose(result["lift"], lift, atol=1e-11)


@pytest.mark.slow
def test_flat_face_on_an_eccentric() -> None:
    """Harmonic: e sin(phi) + r, and so is its speed."""
    result = cam("flat_follower")
    phase = SPEED * result.t
    np.testing.assert_allclose(result["lift"], ECCENTRICITY * np.sin(phase) + RADIUS, atol=1e-11)
    np.testing.assert_allclose(result["speed"], SPEED * ECCENTRICITY * np.cos(phase), atol=1e-8)
