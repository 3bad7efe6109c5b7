"""Two bent shafts: a constant-velocity joint keeps the speed, a universal joint does not."""

from typing import Any

import numpy as np
import pytest

from mbdgen import Model, load, simulate
from mbdgen.language.bodies.orientation import axis_angle
from mbdgen.runtime.system.system import System

BENDS = [0.0, 10.0, 25.0, 50.0]  # degrees
SPEED = 10.0


def shafts(coupling: str) -> Model:
    """Two shafts that meet at the origin, bent about x; the first turns about z."""
    m = Model("shafts", gravity=(0, 0, 0))
    bend, drive, drag = m.parameter("bend", 0.5), m.parameter("drive", 0.0), m.parameter("drag", 0)
    bent = axis_angle((1, 0, 0), bend)
    along = bent.apply((0, 0, 1))
    shape: dict[str, Any] = {"mass": 1, "inertia": (0.1, 0.1, 0.02)}
    first = m.body("first", **shape, position=(0, 0, -0.5), angular_velocity=(0, 0, SPEED))
    pose: dict[str, Any] = {"position": bent.apply((0, 0, 0.5)), "orientation": bent}
    second = m.body("second", **shape, **pose, angular_velocity=[SPEED * x for x in along])
    m.revolute("bearing", m.ground, first, at=(0, 0, -1), axis=(0, 0, 1))
    m.point_on_line("guide", m.ground, second, at=along, axis=along)
    ends = first.at(0, 0, 0.5), second.at(0, 0, -0.5)
    if coupling == "constant_velocity":
        joint = m.constant_velocity("joint", *ends)
        m.output("bend_angle", joint.bend)
        m.output("bend_rate", joint.bend_rate)
    else:
        joint = m.universal("joint", *ends, axis_a=(0, 1, 0), axis_b=(1, 0, 0))
    m.motor("motor", m.ground, first, at=(0, 0, -1), axis=(0, 0, 1), torque=drive)
    m.motor("brake", m.ground, second, at=along, axis=along, torque=-drag)
    m.output("torque", joint.torque)
    for body in (first, second):
        speed = sum(w * e for w, e in zip(body.angular_velocity, body.at().e3, strict=True))
        m.output(f"{body.name}_speed", speed, unit="rad/s")
        m.output(f"{body.name}_w", body.angular_velocity)
        m.output(f"{body.name}_e1", body.at().e1)
        m.output(f"{body.name}_e3", body.at().e3)
    return m


@pytest.fixture(scope="module")
def homokinetic() -> System:
    return load(shafts("constant_velocity"))


@pytest.fixture(scope="module")
def universal() -> System:
    return load(shafts("universal"))


@pytest.mark.slow
@pytest.mark.parametrize("bend", BENDS)
def test_speeds_are_equal(homokinetic: System, bend: float) -> None:
    homokinetic.set(bend=np.radians(bend), drive=0.7, drag=0.2)
    result = simulate(homokinetic, (0, 1), method="rk4", h=1e-3)
    assert result.success and result.info.dof == 1 and result.info.redundant == 0
    # Each shaft has the inertia 0.02, and as they turn alike the motor sees both.
    expected = SPEED + (0.7 - 0.2) / 0.04 * result.t
    np.testing.assert_allclose(result["first_speed"], expected, rtol=1e-9)
    np.testing.assert_allclose(result["second_speed"], result["first_speed"], rtol=1e-12)
    np.testing.assert_allclose(result["bend_angle"], np.radians(bend), atol=1e-10)
    np.testing.assert_allclose(result["bend_rate"], 0, atol=1e-8)


@pytest.mark.slow
@pytest.mark.parametrize("bend", BENDS)
def test_reactions_do_no_work(homokinetic: System, bend: float) -> None:
    homokinetic.set(bend=np.radians(bend), drive=0.7, drag=0.2)
    result = simulate(homokinetic, (0, 1), method="rk4", h=1e-3)
    torque, axes = result["torque"], result["first_e3"] + result["second_e3"]
    relative = result["second_w"] - result["first_w"]
    assert np.linalg.norm(torque, axis=1).min() > 0.1
    np.testing.assert_allclose(np.sum(torque * relative, axis=1), 0, atol=1e-10)
    np.testing.assert_allclose(np.cross(torque, axes), 0, atol=1e-10)  # along the bisector
    assert result.counters.energy_drift < 1e-8


@pytest.mark.parametrize("bend", BENDS)
def test_universal_joint_fluctuates(universal: System, bend: float) -> None:
    universal.set(bend=np.radians(bend))
    result = simulate(universal, (0, 1), method="rk4", h=1e-3)
    # Turn of the input from where its yoke, e2, lies in the plane of the shafts: ratio 1/cos(b).
    e1, b = result["first_e1"], np.radians(bend)
    theta = np.arctan2(e1[:, 1], e1[:, 0])
    ratio = np.cos(b) / (1 - np.sin(b) ** 2 * np.cos(theta) ** 2)
    np.testing.assert_allclose(result["second_speed"], ratio * result["first_speed"], rtol=1e-8)
    if bend:
        assert np.ptp(ratio) > 0.9 * (1 / np.cos(b) - np.cos(b))


def test_any_reference_will_do() -> None:
    """The e1 that follow from one reference are twisted in the swing: the twist is kept."""
    m = Model("twisted", gravity=(0, 0, 0))
    bent = axis_angle((1, 0, 0), 0.7)
    along = bent.apply((0, 0, 1))
    first = m.body("first", mass=1, inertia=(1, 1, 1), angular_velocity=(0, 0, SPEED))
    second = m.body("second", mass=1, inertia=(1, 1, 1), orientation=bent)
    m.revolute("one", m.ground, first, at=(0, 0, 0), axis=(0, 0, 1))
    m.common_vector("two", m.ground, second, axis=along)
    ends: dict[str, Any] = {"at": (0, 0, 0), "reference": (0.3, 1, 0.2)}
    m.constant_velocity("joint", first, second, **ends, axis_a=(0, 0, 1), axis_b=along)
    m.output("one_w", first.angular_velocity)
    m.output("two_w", second.angular_velocity)
    result = simulate(load(m), (0, 1), method="rk4", h=1e-3)
    assert result.info.dof == 1 and result.info.redundant == 0
    start = [result[f"second.q{k}"][0] for k in range(4)]
    np.testing.assert_allclose(start, [np.cos(0.35), np.sin(0.35), 0, 0], atol=1e-12)
    np.testing.assert_allclose(
        result["two_w"], result["one_w"][:, 2:] * [along], rtol=1e-9, atol=1e-9
    )
    assert result["one_w"][0, 2] > 4


def test_measures_of_a_swinging_shaft() -> None:
    """The second shaft is free: it bends with the relative speed and keeps its twist."""
    m = Model("swing", gravity=(0, 0, 0))
    rod = m.body("rod", mass=1, inertia=(0.1, 0.11, 0.02), position=(0, 0, 0.5))
    joint = m.constant_velocity("joint", m.ground.at(0, 0, 0), rod.at(0, 0, -0.5))
    m.force("push", rod.at(0, 0, 0.5), force=(1.0, 0.5 * m.t, 0.3))
    m.output("bend", joint.bend)
    m.output("rate", joint.bend_rate)
    result = simulate(load(m), (0, 0.8), method="rk4", h=1e-3)
    q = np.stack([result[f"rod.q{k}"] for k in range(4)], axis=1)
    np.testing.assert_allclose(q[:, 3], 0, atol=1e-12)  # a pure swing
    bend = 2 * np.arctan2(np.hypot(q[:, 1], q[:, 2]), q[:, 0])
    assert bend[-1] > 0.3 and result["bend"][0] == 0 and result["rate"][0] == 0
    np.testing.assert_allclose(result["bend"], bend, atol=1e-10)
    slope = np.gradient(bend, result.t, edge_order=2)
    np.testing.assert_allclose(result["rate"][2:-2], slope[2:-2], atol=1e-4)
    assert result.counters.energy_drift < 1e-9


@pytest.mark.parametrize("bend", [0.0, 0.6])
def test_planar_bodies_are_pinned(bend: float) -> None:
    """Shafts in the plane can only bend in it: the fourth equation says nothing."""
    m = Model("flat", gravity=(0, -9.81, 0), coordinates="planar")
    direction = (np.cos(bend), np.sin(bend))
    rods = [
        m.body("one", mass=1, inertia=1 / 12, position=(0.5, 0)),
        m.body("two", mass=1, inertia=1 / 12, position=(1 + direction[0] / 2, direction[1] / 2)),
    ]
    m.revolute("pin", m.ground, rods[0], at=(0, 0), axis=(0, 0, 1))
    ends: dict[str, Any] = {"at": (1, 0), "axis_a": (1, 0, 0), "axis_b": (*direction, 0)}
    ends["reference"] = (0, 0, 1)
    joint = m.constant_velocity("joint", *rods, **ends)
    m.output("bend", joint.bend)
    result = simulate(load(m), (0, 0.5), method="rk4", h=1e-3)
    assert result.info.dof == 2 and result.info.redundant == 0
    turn = result["two.theta"] - result["one.theta"]
    np.testing.assert_allclose(result["bend"], np.abs(turn + bend), atol=1e-9)
    assert np.ptp(turn) > 0.1 and result.counters.energy_drift < 1e-9
