"""Outputs: relative coordinates and their rates, spring forces, reactions by Newton's law."""

from typing import Any

import numpy as np
import pytest
import sympy

from mbdgen import Model
from mbdgen.errors import ModelError
from tests.unit.compiler.printed import plain_module, text_of
from tests.unit.compiler.states import Motion
from tests.unit.kernels.scenes import make_body

GRAVITY = np.array([0.3, -9.81, 0.5])
FREE = {
    "revolute": ("angle", "rate"),
    "cylindrical": ("angle", "rate", "displacement", "speed"),
    "prismatic": ("displacement", "speed"),
    "planar": ("angle", "rate"),
    "common_vector": ("angle", "rate"),
    "point_on_line": ("displacement", "speed"),
    "translation_driver": ("displacement", "speed"),
    "rotation_driver": ("angle",),
}
GUIDES = ("revolute", "spherical", "prismatic", "cylindrical", "universal", "fixed", "planar")
RATES = {"angle": "rate", "displacement": "speed"}


def two_bodies(kinds: tuple[str, str], seed: int = 3) -> tuple[Model, Any, Any]:
    model, rng = Model("two", gravity=tuple(GRAVITY)), np.random.default_rng(seed)
    one, two = (make_body(model, n, k, rng) for n, k in zip(("one", "two"), kinds, strict=True))
    return model, one, two


@pytest.mark.representatives(
    id=[
        "revolute-planar-natural",
        "point_on_line-planar-natural",
        "translation_driver-planar-natural",
    ]
)
@pytest.mark.parametrize(
    "kinds", [("quaternion", "quaternion"), ("planar", "natural")], ids="-".join
)
@pytest.mark.parametrize("name", FREE)
def test_rates_are_derivatives(name: str, kinds: tuple[str, str]) -> None:
    model, one, two = two_bodies(kinds)
    spatial = "quaternion" in kinds
    slides = "displacement" in FREE[name]
    axis = (0.3, 0.5, -1) if spatial else (1, 0.4, 0) if slides else (0, 0, 1)
    if name == "cylindrical" and not spatial:
        axis = (1, 0.4, 0)
    at = (0.4, 0.1, -0.2 if spatial else 0)
    fields = {"rotation_driver": {"angle": 0.4 * model.t}}
    fields["translation_driver"] = {"distance": 0.4 * model.t}
    joint = getattr(model, name)("joint", one, two, at=at, axis=axis, **fields.get(name, {}))
    for measure in FREE[name]:
        model.output(measure, getattr(joint, measure))
    state = Motion(plain_module(text_of(model)))
    for value, rate in RATES.items():
        if value in FREE[name] and rate in FREE[name]:
            assert state.outputs()[rate] == pytest.approx(state.slope(value), abs=1e-6)
            if not (name == "cylindrical" and value == "angle" and not spatial):
                assert abs(state.outputs()[rate]) > 1e-3


def test_angle_and_displacement_have_the_value_of_the_geometry() -> None:
    model = Model("one")
    rod = model.body("rod", 1, (1, 1, 1), position=(0, 0, 0.7), angle=2.5)
    frame = {"axis": (0, 0, 1), "reference": (1, 0, 0)}
    guide = model.cylindrical("guide", model.ground.at(**frame), rod.at(**frame))
    model.output("angle", guide.angle)
    model.output("displacement", guide.displacement)
    values = Motion(plain_module(text_of(model))).outputs()
    assert values["angle"] == pytest.approx(2.5, abs=1e-14)
    assert values["displacement"] == pytest.approx(0.7, abs=1e-14)


def test_markers_and_bodies() -> None:
    """Position, velocity, acceleration and angular velocity agree with each other."""
    model, one, two = two_bodies(("quaternion", "planar"))
    model.spherical("ball", model.ground, one, at=(0.2, 0.1, 0))
    for label, marker in (("p", one.at(0.3, -0.2, 0.5)), ("s", two.at(0.3, -0.2))):
        model.output(label, marker)
        model.output(f"{label}_v", marker.velocity)
        model.output(f"{label}_a", marker.acceleration)
        model.output(f"{label}_e1", marker.e1)
        model.output(f"{label}_w", marker.body.angular_velocity)
    model.output("angle", two.angle)
    model.output("rate", two.angle_rate)
    state = Motion(plain_module(text_of(model)))
    found = state.outputs()
    for label in "ps":
        for c in "xyz":
            slope = state.slope(f"{label}.{c}")
            assert found[f"{label}_v.{c}"] == pytest.approx(slope, abs=1e-6)
            slope = state.slope(f"{label}_v.{c}")
            assert found[f"{label}_a.{c}"] == pytest.approx(slope, abs=1e-5)
        turned = np.array([state.slope(f"{label}_e1.{c}") for c in "xyz"])
        expected = np.cross(state.vector(f"{label}_w"), state.vector(f"{label}_e1"))
        np.testing.assert_allclose(turned, expected, atol=1e-6)
    assert found["rate"] == pytest.approx(state.slope("angle"), abs=1e-8)


@pytest.mark.slow
def test_spring_tension_length_and_energy() -> None:
    model, one, two = two_bodies(("quaternion", "planar"))
    spring = model.spring(
        "spring", one.at(0.1, 0.2, 0.3), two.at(0.3), stiffness=30, length=0.5, damping=2, force=4
    )
    for name in ("length", "tension", "energy"):
        model.output(f"spring_{name}", getattr(spring, name))
    ends = two.at(0.3).position, one.at(0.1, 0.2, 0.3).position
    model.output("gap", tuple(a - b for a, b in zip(*ends, strict=True)))
    state = Motion(plain_module(text_of(model)))
    found = state.outputs()
    length = np.linalg.norm(state.vector("gap"))
    assert found["spring_length"] == pytest.approx(length, abs=1e-14)
    tension = 30 * (length - 0.5) + 2 * state.slope("spring_length") + 4
    assert found["spring_tension"] == pytest.approx(tension, abs=1e-6)
    assert found["spring_energy"] == pytest.approx(15 * (length - 0.5) ** 2, abs=1e-14)


def test_torsion_spring_and_motor() -> None:
    model = Model("one")
    rod = model.body("rod", 1, (1, 1, 1), angle=0.6, angular_velocity=1.5)
    axis = {"axis": (0, 0, 1), "reference": (1, 0, 0)}
    ends = model.ground.at(**axis), rod.at(**axis)
    model.revolute("pin", *ends)
    spring = model.torsion_spring("spring", *ends, stiffness=3, rest=0.2, damping=0.7, moment=0.4)
    motor = model.motor("motor", *ends, torque=2 + model.t)
    for name in ("angle", "moment", "energy"):
        model.output(f"spring_{name}", getattr(spring, name))
    model.output("power", motor.power)
    state = Motion(plain_module(text_of(model)), t=1.0)
    found = state.outputs()
    assert found["spring_angle"] == pytest.approx(0.6, abs=1e-14)
    assert found["spring_moment"] == pytest.approx(-3 * 0.4 - 0.7 * 1.5 + 0.4, abs=1e-13)
    assert found["spring_energy"] == pytest.approx(1.5 * 0.4**2, abs=1e-14)
    assert found["power"] == pytest.approx(3 * 1.5, abs=1e-13)
    acceleration = found["spring_moment"] + 3
    assert state.a[3:] @ state.a[3:] > 0
    omega_dot = 2 * (state.q[3] * state.a[6] - state.q[6] * state.a[3])
    assert omega_dot == pytest.approx(acceleration, abs=1e-12)


# --- reactions ------------------------------------------------------------------------------------


@pytest.mark.representatives(id="ground first-revolute")
@pytest.mark.parametrize("name", GUIDES)
@pytest.mark.parametrize("order", ["ground first", "body first"])
def test_newton_and_euler_with_the_reactions(name: str, order: str) -> None:
    """m a = m g + F, and the moment of the reactions about the centre of mass turns the body."""
    model, rng = Model("one", gravity=tuple(GRAVITY)), np.random.default_rng(5)
    rod = make_body(model, "rod", "quaternion", rng)
    ends = (model.ground, rod) if order == "ground first" else (rod, model.ground)
    at, axis = rng.uniform(-1, 1, 3), rng.uniform(-1, 1, 3)
    placing: dict[str, Any] = {"at": at}
    if name == "universal":
        placing |= {"axis_a": axis, "axis_b": np.cross(axis, (1, 0, 0))}
    elif name not in ("fixed", "spherical"):
        placing["axis"] = axis
    joint = getattr(model, name)("joint", *ends, **placing)
    point = rod.at(*at, axes="global")
    for label, what in {
        "force": joint.force,
        "torque": joint.torque,
        "acceleration": rod.centre_of_mass.acceleration,
        "com": rod.centre_of_mass,
        "point": point,
        "w": rod.angular_velocity,
        **{f"e{k}": getattr(rod.at(), f"e{k}") for k in (1, 2, 3)},
    }.items():
        model.output(label, what)
    state = Motion(plain_module(text_of(model)))
    sign = 1 if order == "ground first" else -1
    force, torque = sign * state.vector("force"), sign * state.vector("torque")
    np.testing.assert_allclose(1.3 * (state.vector("acceleration") - GRAVITY), force, atol=1e-11)
    turned = np.column_stack([state.vector(f"e{k}") for k in (1, 2, 3)])
    tensor = np.array([[0.5, 0.03, -0.02], [0.03, 0.4, 0.05], [-0.02, 0.05, 0.3]])
    omega = state.vector("w")
    inertia = turned @ tensor @ turned.T
    alpha = np.array([state.slope(f"w.{c}") for c in "xyz"])
    moment = torque + np.cross(state.vector("point") - state.vector("com"), force)
    expected = inertia @ alpha + np.cross(omega, inertia @ omega)
    np.testing.assert_allclose(moment, expected, atol=2e-6)


@pytest.mark.slow
def test_torque_of_a_revolute_has_no_part_along_its_axis() -> None:
    model, one, two = two_bodies(("quaternion", "quaternion"))
    axis = np.array([0.3, 0.5, -1])
    pin = model.revolute("pin", one, two, at=(0.4, 0.1, -0.2), axis=axis)
    model.output("torque", pin.torque)
    state = Motion(plain_module(text_of(model)))
    assert np.linalg.norm(state.vector("torque")) > 1e-2
    assert abs(state.vector("torque") @ axis) < 1e-11


@pytest.mark.representatives(id=["planar", "natural"])
@pytest.mark.parametrize("kind", ["planar", "natural", "quaternion"])
def test_beam_on_two_supports(kind: str) -> None:
    """Statically determinate: the weight is shared by the lever rule, for any coordinates."""
    model = Model("beam", gravity=(0, -10, 0))
    inertia = (0.1, 0.4, 0.4) if kind == "quaternion" else 0.4
    beam = model.body("beam", 3, inertia, coordinates=kind, centre_of_mass=(0.5, 0))
    push = beam.at(1.5)
    model.force("push", push, force=(4, -6, 0))
    pin = model.revolute("pin", model.ground, beam, at=(0, 0, 0), axis=(0, 0, 1))
    roller = model.point_in_plane("roller", model.ground, beam, at=(2, 0, 0), axis=(0, 1, 0))
    model.output("left", pin.force)
    model.output("right", roller.force)
    state = Motion(plain_module(text_of(model)))
    assert np.abs(state.a).max() < 1e-12
    right = (30 * 0.5 + 6 * 1.5) / 2
    np.testing.assert_allclose(state.vector("right"), [0, right, 0], atol=1e-11)
    np.testing.assert_allclose(state.vector("left"), [-4, 36 - right, 0], atol=1e-11)


def test_cantilever() -> None:
    """A weld carries the weight and its moment about the weld."""
    model = Model("cantilever", gravity=(0, 0, -10))
    beam = model.body("beam", 3, (1, 2, 3), centre_of_mass=(0.5, 0.2, 0.1), angle=0.3)
    model.force("push", beam.at(1, 0, 0), force=(0, 7, 0))
    model.torque("twist", beam, torque=(0, 0, 2))
    weld = model.fixed("weld", model.ground, beam, at=(0.1, 0, 0))
    model.output("force", weld.force)
    model.output("torque", weld.torque)
    state = Motion(plain_module(text_of(model)))
    c, s = np.cos(0.3), np.sin(0.3)
    com = np.array([0.5 * c - 0.2 * s - 0.1, 0.5 * s + 0.2 * c, 0.1])
    tip = np.array([c - 0.1, s, 0])
    np.testing.assert_allclose(state.vector("force"), [0, -7, 30], atol=1e-11)
    loads = np.cross(com, (0, 0, -30)) + np.cross(tip, (0, 7, 0)) + [0, 0, 2]
    np.testing.assert_allclose(state.vector("torque"), -loads, atol=1e-11)


def test_rod_force_is_the_multiplier() -> None:
    """A weight on a massless rod: tension m g cos + m v^2 / l along the rod."""
    model = Model("rod", gravity=(0, -10, 0))
    angle, speed, length = 0.4, 1.3, 0.8
    r = length * np.array([np.sin(angle), -np.cos(angle), 0])
    v = speed * np.array([np.cos(angle), np.sin(angle), 0])
    ball = model.point_mass("ball", 2, position=r, velocity=v)
    rod = model.distance("rod", model.ground.at(), ball.at())
    model.output("force", rod.force)
    state = Motion(plain_module(text_of(model)))
    tension = 20 * np.cos(angle) + 2 * speed**2 / length
    np.testing.assert_allclose(state.vector("force"), -tension * r / length, atol=1e-11)


def test_user_expression_of_measures() -> None:
    model = Model("one")
    gain = model.parameter("gain", 2.0)
    rod = model.body("rod", 1, (1, 1, 1), angle=0.6, angular_velocity=1.5)
    axis = {"axis": (0, 0, 1), "reference": (1, 0, 0)}
    pin = model.revolute("pin", model.ground.at(**axis), rod.at(**axis))
    x, y, _ = rod.at(1, 0, 0).position
    model.output("mixed", gain * sympy.cos(pin.angle) + pin.rate * model.t - x * y)
    model.output("magnitude", sympy.sqrt(sum(c**2 for c in pin.force)))
    state = Motion(plain_module(text_of(model)), t=2.0)
    expected = 2 * np.cos(0.6) + 3 - np.cos(0.6) * np.sin(0.6)
    assert state.outputs()["mixed"] == pytest.approx(expected, abs=1e-14)
    assert state.outputs()["magnitude"] == pytest.approx(9.81, abs=1e-11)
    state.system.set(gain=0.0)
    assert state.outputs()["mixed"] == pytest.approx(expected - 2 * np.cos(0.6), abs=1e-14)


def test_what_an_element_does_not_offer() -> None:
    model = Model("one")
    rod = model.body("rod", 1, (1, 1, 1))
    joint = model.spherical("ball", model.ground, rod)
    with pytest.raises(ModelError, match=r"'ball' .*no output 'angle'.*force, load, torque"):
        _ = joint.angle
    with pytest.raises(ModelError, match=r"rod.*angle"):
        model.output("angle", rod.angle)
        text_of(model)
