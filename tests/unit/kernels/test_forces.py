"""Forces and torques on every legal pair of body kinds, and expressions of users."""

from dataclasses import fields
from functools import partial
from typing import Any

import numpy as np
import pytest
import sympy

from mbdgen import Model
from mbdgen.errors import ModelError
from mbdgen.forces.base import Force
from mbdgen.language.expressions.function_argument import Function
from mbdgen.language.expressions.matrix import Matrix
from mbdgen.language.markers.marker import Marker
from mbdgen.language.registry import classes
from tests.unit.kernels.element import STEP, ElementCase, State, close
from tests.unit.kernels.loads import check_force, check_gradient, matrix_of, pairs, point
from tests.unit.kernels.scenes import (
    KINDS,
    PAIRS,
    PLANAR,
    POINTS,
    USUAL_PAIRS,
    make_body,
    make_marker,
    needed,
    scene,
)

TURNING = tuple(k for k in KINDS if k not in POINTS)


# --- rotation ------------------------------------------------------------------------------------


@pytest.mark.representatives(id=["ground-planar-normal", "planar-natural-normal"])
@pytest.mark.parametrize(("kinds", "axis"), pairs(axes=True))
def test_torsion_spring(kinds: tuple[str, str], axis: str) -> None:
    model, first, second = scene(kinds, axis)
    rest = model.parameter("rest", 0.2)
    options = {"stiffness": 3.0, "rest": rest}
    model.torsion_spring("spring", first, second, damping=0.7, moment=0.4, **options)
    model.torsion_spring("loose", first, second, **options)
    check_force(ElementCase(model, "spring"))
    check_gradient(ElementCase(model, "loose"))


@pytest.mark.parametrize("kind", ["planar", "natural", "quaternion"])
def test_torsion_spring_formula(kind: str) -> None:
    """M = -k (theta - rest) - c dtheta/dt + m about a common axis, also across half a turn."""
    for theta in (0.5, 3.0):
        model = Model("one")
        inertia = (1, 1, 1) if kind == "quaternion" else 1
        body = model.body(
            "rod", 1, inertia, coordinates=kind, angle=theta, angular_velocity=0.8, length=0.7
        )
        axis = {"axis": (0, 0, 1), "reference": (1, 0, 0)}
        first, second = model.ground.at(**axis), body.at(**axis)
        fields = {"stiffness": 3.0, "rest": 2.0, "damping": 0.7, "moment": 0.4}
        model.torsion_spring("spring", first, second, **fields)
        e = ElementCase(model, "spring")
        q, v = (np.array(x, complex) for x in e.kinds[0].initial(body.motion))
        zero = np.zeros(e.n_q)
        s = State(0.0, q, v, zero, np.zeros(0))
        applied = -e.residual(s).real[e.dynamics, 0]
        moment = -3.0 * (theta - 2.0) - 0.7 * 0.8 + 0.4
        work = applied @ e.twist(s)
        close(np.array(work), np.array(moment * 0.8), "moment", 1e-11)


@pytest.mark.representatives("kinds", kinds=USUAL_PAIRS)
@pytest.mark.parametrize(("kinds", "axis"), pairs(axes=True))
def test_motor(kinds: tuple[str, str], axis: str) -> None:
    model, first, second = scene(kinds, axis)
    gain = model.parameter("gain", 1.4)
    joint = model.revolute("pin", first, second)
    torque = gain * sympy.sin(3 * model.t) - 0.2 * joint.rate + 0.1 * joint.angle
    model.motor("motor", first, second, torque=torque)
    check_force(ElementCase(model, "motor"))


# --- loads on one body ---------------------------------------------------------------------------


def one_body(kind: str) -> tuple[Model, Marker]:
    rng = np.random.default_rng(11)
    model = Model("one")
    body = make_body(model, "rod", kind, rng)
    return model, make_marker(body, rng, kind in PLANAR, "normal")


@pytest.mark.representatives
@pytest.mark.parametrize("axes", ["global", "body"])
@pytest.mark.parametrize("kind", KINDS)
def test_force_of_the_user(kind: str, axes: str) -> None:
    if kind in POINTS and axes == "body":
        pytest.skip("a point mass has no axes")
    model, marker = one_body(kind)
    gain = model.parameter("gain", 1.4)
    x, y, _ = marker.position
    vx, vy, _ = marker.velocity
    force = (gain * sympy.cos(model.t) - 0.3 * vx * x, y**2 - vy, 2 * x * gain)
    model.force("push", marker, force=force, axes=axes)
    check_force(ElementCase(model, "push"))


@pytest.mark.representatives(
    id=[
        "quaternion-global",
        "quaternion-body",
        "planar-global",
        "natural-global",
        "natural-planar-1p1v-global",
        "euler-xyz-global",
        "euler-zxz-global",
        "gibbs-global",
    ]
)
@pytest.mark.parametrize("axes", ["global", "body"])
@pytest.mark.parametrize("kind", TURNING)
def test_torque_of_the_user(kind: str, axes: str) -> None:
    model, marker = one_body(kind)
    gain = model.parameter("gain", 1.4)
    omega = marker.body.angular_velocity
    torque = (0.2 * omega[0], gain * sympy.sin(model.t), -0.3 * omega[2])
    model.torque("twist", marker, torque=torque, axes=axes)
    check_force(ElementCase(model, "twist"))


def test_constant_force_and_torque_have_the_textbook_rows() -> None:
    model, marker = one_body("quaternion")
    model.force("push", marker, force=(1, 2, 3))
    model.force("carried", marker, force=(1, 2, 3), axes="body")
    model.torque("twist", marker, torque=(1, 2, 3))
    model.torque("own", marker.body.at(), torque=(1, 2, 3), axes="body")
    rows, load = {}, np.array([1.0, 2.0, 3.0])
    for name in model.attached:
        e = ElementCase(model, name)
        s = e.proper_state(np.random.default_rng(1))
        rows[name] = -e.residual(s).real[:6, 0]
        if name in ("push", "carried"):
            arm = point(e, s, 0)[0] - s.q.real[:3, 0]
            turned = matrix_of(s.q.real[3:7, 0])
            axes = [[e.numbers[f"l_a_{k}{c}"] for c in "xyz"] for k in "123"]
            force = load if name == "push" else turned @ np.transpose(axes) @ load
            expected = [*force, *(turned.T @ np.cross(arm, force))]
            close(rows[name], np.array(expected), name)
    close(rows["own"], np.array([0, 0, 0, 1, 2, 3]), "own")
    close(rows["twist"], np.array([0, 0, 0, *(turned.T @ load)]), "twist")


def test_torque_on_a_point_mass_is_refused() -> None:
    model, marker = one_body("point")
    model.torque("twist", marker, torque=(1, 2, 3))
    with pytest.raises(ModelError, match=r"'twist'.*point mass"):
        ElementCase(model, "twist")


# --- expressions of users ------------------------------------------------------------------------


@pytest.mark.representatives(
    id=[
        "quaternion-natural",
        "quaternion-point",
        "planar-quaternion",
        "point-quaternion",
        "cylindrical-quaternion",
        "natural-planar-1p1v-quaternion",
    ]
)
@pytest.mark.parametrize("kinds", [k for k in PAIRS if "ground" not in k], ids="-".join)
def test_potential_of_the_user(kinds: tuple[str, str]) -> None:
    model, first, second = scene(kinds)
    strength = model.parameter("strength", 2.0)
    (x, y, z), (u, v, w) = first.position, second.position
    energy = (
        strength * (x - u) ** 2 * sympy.cos(v) + sympy.sqrt(1 + (y - v) ** 2) + sympy.exp(-z * w)
    )
    if not {*kinds} & {*POINTS}:
        energy += first.e1[0] * second.e3[1] * u + first.e3[2]
    model.potential("field", energy=energy)
    e = ElementCase(model, "field")
    check_force(e)
    check_gradient(e)


def test_potential_of_time_does_power() -> None:
    model, first, second = scene(("quaternion", "planar"))
    model.potential("field", energy=sympy.sin(2 * model.t) * first.x * second.y)
    e = ElementCase(model, "field")
    check_force(e)
    s = e.random_state(np.random.default_rng(1))
    by_time = e.energies(s.moved(t=1))[1].imag / STEP
    close(e.energies(s)[2].real, by_time, "power")


def test_piecewise_force() -> None:
    """A stop: a spring that only pushes, with its exact tangent on both sides."""
    model, marker = one_body("planar")
    push = sympy.Piecewise((-100 * marker.x, marker.x > 0), (0, True))
    model.force("stop", marker, force=(push, sympy.Max(0, -marker.y), sympy.Abs(marker.x)))
    e = ElementCase(model, "stop")
    for seed in range(4):
        check_force(e, seed)


@pytest.mark.slow
def test_force_of_joint_measures_and_other_bodies() -> None:
    """A controller: a force at one marker computed from a joint between two other bodies."""
    model, first, second = scene(("quaternion", "planar"))
    third = make_body(model, "third", "natural", np.random.default_rng(1))
    joint = model.cylindrical("guide", first, second)
    law = -3 * joint.displacement - 0.4 * joint.speed + joint.angle**2 * joint.rate
    model.force("control", third.at(0.1, 0.2), force=(law, 0.5 * law, 0))
    check_force(ElementCase(model, "control"))


class Bump(Force):
    """A law with potential, dissipation and loads at once, all nonlinear."""

    name = "bump"
    axis = True

    def potential(self, *frames: Any) -> Any:
        a, b = frames
        d = b.r - a.r
        return d.dot(d) ** 2 / 4 + a.e3.dot(b.e1) * d[0]

    def dissipation(self, *frames: Any) -> Any:
        a, b = frames
        slip, spin = b.v - a.v, b.w - a.w
        return slip.dot(slip) * (1 + a.r.dot(b.r) ** 2) / 2 + spin.dot(b.e3) ** 2 / 3

    def loads(self, *frames: Any) -> Any:
        from mbdgen.forces.base import FrameLoad

        a, b = frames
        return [FrameLoad(b, force=a.e1 * 2, torque=b.e2 * a.v[0])]


@pytest.mark.representatives(id=["ground-planar", "planar-natural"])
@pytest.mark.parametrize("kinds", [k for k in PAIRS if not {*k} & {*POINTS}], ids="-".join)
def test_law_of_the_user(kinds: tuple[str, str]) -> None:
    model, first, second = scene(kinds)
    model.add("law", Bump, first, second)
    check_force(ElementCase(model, "law"))


@pytest.mark.slow
def test_dissipation_never_delivers_power() -> None:
    model, first, second = scene(("quaternion", "quaternion"))
    model.spring("damper", first, second, damping=1.3)
    e = ElementCase(model, "damper")
    for seed in range(20):
        assert e.energies(e.proper_state(np.random.default_rng(seed)))[2].real <= 0


LAWS = classes("mbdgen.forces", Force)
TWO_ENDS = sorted(n for n, law in LAWS.items() if len(law.ends) == 2 and not law.distributed)


SIMPLER: dict[str, dict[str, Any]] = {"bushing": {"small": True}}
"""By default sines instead of the rotation vector, which takes ten seconds."""


def laws_and_kinds() -> list[Any]:
    """Each law by default between one pair."""
    found = []
    for name in TWO_ENDS:
        more = SIMPLER.get(name, {})
        found.append(pytest.param(name, ("quaternion", "planar"), more))
        others = [("natural", "quaternion"), *[("quaternion", "planar")] * bool(more)]
        found += [pytest.param(name, kinds, {}, marks=pytest.mark.slow) for kinds in others]
    return found


@pytest.mark.parametrize(("name", "kinds", "more"), laws_and_kinds())
def test_every_law_between_two_frames(
    name: str, kinds: tuple[str, str], more: dict[str, Any]
) -> None:
    """Found by looking, so that a new file is covered; where a default is zero it gets a number."""
    law = LAWS[name]
    model, first, second = scene(kinds)
    model.add("law", law, first, second, **numbers(law), **pressed(law, first, second), **more)
    e = ElementCase(model, "law")
    check_force(e)
    assert np.abs(e.residual(e.random_state(np.random.default_rng(3)))).max() > 0


def pressed(law: type[Force], first: Marker, second: Marker) -> dict[str, Any]:
    """What contacts need besides: surfaces that are in each other, and friction."""
    if not law.memory:
        return {}
    given = {
        "stiffness": 2.0,
        "restitution": 0.6,
        "friction": "coulomb",
        **{"creep": 0.7, "static": 0.9},
        **{name: 9.0 for name in ("radius", "radius_a", "radius_b") if name in law.field_names()},
    }
    if law.axis:
        side = np.sign(float(first.global_point[0]) - float(second.global_point[0]))
        given |= {"normal": (side, 0, 0), "moving": True}
    return given


def numbers(law: type[Force]) -> dict[str, Any]:
    """Something that is not zero for every field that is."""
    rng = np.random.default_rng(4)
    given: dict[str, Any] = {}
    for f in fields(law):
        if type(f.default) is float and f.default == 0:
            given[f.name] = 0.8
        elif isinstance(f.default, Matrix):
            given[f.name] = rng.uniform(0, 1, (f.default.size,) * 2)
        elif isinstance(f.default, Function):
            given[f.name] = partial(_cubic, f.default.size)
    return given


def _cubic(size: int, *x: Any) -> Any:
    values = [0.3 * c**3 + 0.1 * c * x[0] for c in x]
    return values[:size] if size > 1 else sum(values)


NO_ENDS = sorted(n for n, law in LAWS.items() if not law.ends and n != "potential")


@pytest.mark.parametrize("name", NO_ENDS)
@pytest.mark.representatives(kinds=("quaternion", "planar"))
@pytest.mark.parametrize("kinds", [("quaternion", "planar"), ("natural", "quaternion")])
def test_every_law_along_a_coordinate(name: str, kinds: tuple[str, str]) -> None:
    """Along a measure of a joint, with the load of another joint as a number; limits are passed."""
    law = LAWS[name]
    model, first, second = scene(kinds)
    given = numbers(law) | needed(model, law, "law", first, second)
    if "load" in given:
        given["load"] = model.cylindrical("loaded", first, second).load
        given |= {"creep": 0.7, "fade": 1.1}  # where nothing is saturated
    if "lower" in law.field_names():
        given |= {"lower": 7.0, "upper": -8.0, "stiffness": 2.0}  # beyond both at once
    model.add("law", law, **given)
    e = ElementCase(model, "law")
    check_force(e)
    assert e.n_read == (4 if "load" in given else 0)
    assert np.abs(e.residual(e.random_state(np.random.default_rng(3)))).max() > 0


@pytest.mark.slow
def test_bushing_turned_far_has_the_rotation_vector() -> None:
    """Its components from the axis and the angle of the pose, and a moment along the axis."""
    axis = np.array([0.3, -0.5, 0.8]) / np.linalg.norm([0.3, -0.5, 0.8])
    for angle in (0.0, 1e-9, 0.4, 3.0):
        model = Model("one")
        q = (np.cos(angle / 2), *(np.sin(angle / 2) * axis))
        body = model.body("block", 1, (1, 1, 1), orientation=q, position=(0.1, 0, -0.2))
        model.bushing("bush", model.ground.at(), body.at(), stiffness=(2, 2, 2, 5, 5, 5))
        e = ElementCase(model, "bush")
        q0 = [0.1, 0, -0.2, *q]
        s = State(0.0, np.array(q0), np.zeros(7), np.zeros(7), np.zeros(0))
        rows = -e.residual(s).real[:6, 0]
        turned = matrix_of(np.array(q))
        expected = [-0.2, 0, 0.4, *(turned.T @ (-5 * angle * axis))]
        close(rows, np.array(expected), f"angle {angle}", 1e-11)
