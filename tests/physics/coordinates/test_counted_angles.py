"""Angles that forces, drivers, events and outputs read count their turns, on every path."""

import json
import math
import subprocess
from pathlib import Path
from shutil import which

import numpy as np
import pytest
import sympy

from mbdgen import (
    Event,
    Model,
    inverse_dynamics,
    kinematics,
    linearise,
    load,
    modes,
    simulate,
    simulate_many,
    statics,
)
from mbdgen.errors import ModelError
from mbdgen.mechanics.statics import settle
from mbdgen.runtime.results.result import Result
from mbdgen.runtime.system.system import System

BEGIN, SPEED = 2.5, 3.0


def wheel(
    how: str = "torsion_spring",
    coordinates: str = "planar",
    turns: int = 0,
    speed: float = SPEED,
    stiffness: float = 1.0,
) -> Model:
    """Return a wheel of unit inertia that something turns back to zero like a spring."""
    m = Model("wound", gravity=(0, 0, 0), coordinates=coordinates)
    inertia = 1.0 if coordinates == "planar" else (1.0, 1.0, 1.0)
    k = m.parameter("k", stiffness)
    body = m.body("wheel", 1.0, inertia, angle=BEGIN, angular_velocity=(0, 0, speed))
    a, b = (x.at(axis=(0, 0, 1), reference=(1, 0, 0)) for x in (m.ground, body))
    pin = m.revolute("pin", a, b)
    if how == "torsion_spring":
        m.torsion_spring("spring", a, b, stiffness=k, turns=turns)
    elif how == "motor":
        m.motor("motor", a, b, torque=-k * (pin.angle + 2 * math.pi * turns))
    elif how == "push":
        m.push("push", along=pin.angle, force=-k * (pin.angle + 2 * math.pi * turns))
    m.output("angle", pin.angle)
    m.output("moment", -k * pin.angle)
    return m


def exact(t: np.ndarray, turns: int = 0, speed: float = SPEED) -> np.ndarray:
    """Angle of the wheel on its spring of unit stiffness."""
    wound = 2 * math.pi * turns
    return (BEGIN + wound) * np.cos(t) + speed * np.sin(t) - wound


def error(result: Result, turns: int = 0, speed: float = SPEED) -> float:
    """Largest error of the angle."""
    assert result.success, result.message
    return float(np.abs(result["angle"] - exact(result.t, turns, speed)).max())


@pytest.fixture(scope="module")
def planar() -> System:
    return load(wheel())


@pytest.mark.representatives(
    id=["planar-torsion_spring", "planar-motor", "relative-torsion_spring"]
)
@pytest.mark.parametrize("how", ["torsion_spring", "motor", "push"])
@pytest.mark.parametrize("coordinates", ["planar", "quaternion", "euler-zxy", "relative"])
def test_what_reads_an_angle_goes_on_beyond_half_a_turn(how: str, coordinates: str) -> None:
    relative = coordinates == "relative"
    model = wheel(how, "planar" if relative else coordinates)
    system = load(model, coordinates="relative" if relative else None)
    assert error(simulate(system, (0, 6), h=2e-3, t_eval=np.linspace(0, 6, 61))) < 5e-5
    assert not system.work.p[system.work.turns[:, :2]].any()  # nothing is left of a run


@pytest.mark.representatives(id="planar")
@pytest.mark.parametrize("coordinates", ["planar", "quaternion"])
def test_a_spring_wound_by_ten_turns_unwinds_by_ten_turns(coordinates: str) -> None:
    system = load(wheel(coordinates=coordinates, turns=10))
    result = simulate(system, (0, math.pi), "rk4", 1e-3, t_eval=[0, math.pi / 2, math.pi])
    assert error(result, turns=10) < 2e-6
    assert result["angle"][0] - result["angle"][-1] == pytest.approx(2 * (20 * math.pi + BEGIN))


@pytest.mark.representatives("method")
@pytest.mark.parametrize(
    ("method", "given"),
    [
        ("newmark", {"h": 1e-3}),
        ("rk4", {"h": 1e-2}),
        ("newmark", {"h": 1e-3, "formulation": "nullspace-qr"}),
        ("rk4", {"h": 1e-2, "formulation": "index1"}),
        ("generalized-alpha", {"h": 1e-3}),
        ("dop853", {"rtol": 1e-9}),
        ("newmark", {"rtol": 1e-8}),
        ("solve-ivp", {"rtol": 1e-9}),
        ("cvode", {"rtol": 1e-9}),
        ("ida", {"rtol": 1e-9}),
    ],
)
def test_methods_count_alike(planar: System, method: str, given: dict[str, float]) -> None:
    if method in ("cvode", "ida"):
        pytest.importorskip("sksundae")
    result = simulate(planar, (0, 6), method, t_eval=np.linspace(0, 6, 13), **given)
    assert error(result) < 1e-4


@pytest.mark.representatives(id="planar")
@pytest.mark.parametrize("coordinates", ["planar", "quaternion"])
def test_outputs_count_between_recorded_instants(coordinates: str) -> None:
    system = load(wheel("", coordinates, speed=100.0))
    for given in ({"rtol": 1e-9}, {"rtol": 1e-9, "t_eval": [0.0, 1.0, 2.0]}):
        result = simulate(system, (0, 2), "dop853", **given)  # type: ignore[arg-type]
        assert result["angle"][-1] - BEGIN == pytest.approx(200.0, abs=1e-5)
    fast = load(wheel("", coordinates, speed=5000.0))
    result = simulate(fast, (0, 0.2), "rk4", 2e-5, t_eval=[0.0, 0.2])
    assert result["angle"][-1] - BEGIN == pytest.approx(1000.0, rel=1e-4)


@pytest.mark.slow
@pytest.mark.parametrize(("turns", "h"), [(3, 1e-3), (4, 2e-3), (-9, 1e-3)])
def test_a_wheel_that_rests_and_goes_around_and_rests(turns: int, h: float) -> None:
    """Between two recorded instants, and faster than the steps between two counts allow."""
    m = Model("geneva", gravity=(0, 0, 0), coordinates="planar")
    wheel = m.body("wheel", 1.0, 1.0)
    pin = m.revolute("pin", m.ground.at(), wheel.at())
    s = (m.t - 1.0) * 10.0
    once = sympy.Piecewise((0, s < 0), (s**3 * (10 - 15 * s + 6 * s**2), s < 1), (1, True))
    m.rotation_driver("driver", m.ground.at(), wheel.at(), angle=2 * math.pi * turns * once)
    m.output("angle", pin.angle)
    system = load(m)
    for instants in (None, [0.0, 3.0], [0.0, 1.05, 3.0]):
        found = simulate(system, (0, 3), h=h, t_eval=instants)
        assert found.success, found.message
        assert abs(found["angle"][-1] - 2 * math.pi * turns) < 1e-9


def test_a_checkpoint_knows_the_turns() -> None:
    system = load(wheel(turns=0, speed=60.0))
    whole = simulate(system, (0, 2.0), h=1e-3)
    first = simulate(system, (0, 0.8), h=1e-3)
    assert 7 < first["angle"][-1] / (2 * math.pi) < 8
    second = simulate(system, (0.8, 2.0), h=1e-3, start=first.checkpoint())
    assert np.array_equal(second["angle"], whole["angle"][-len(second.t) :])
    back = simulate(system, (0.8, 0.0), "newmark", h=1e-3, start=first.checkpoint())
    assert back["angle"][-1] == pytest.approx(BEGIN, abs=1e-6)


def test_events_at_angles_of_several_turns() -> None:
    system = load(wheel(speed=60.0))
    event = Event("angle", 20.0, terminal=True)
    for given in ({"method": "newmark", "h": 1e-3}, {"method": "dop853", "rtol": 1e-10}):
        result = simulate(system, (0, 2), events=event, **given)  # type: ignore[arg-type]
        assert result["angle"][-1] == pytest.approx(20.0, abs=1e-8)
        assert exact(result.t_events[0], speed=60.0)[0] == pytest.approx(20.0, abs=1e-3)


OTHER_NUMBERS = [
    ("natural", {"eliminate": True}),
    ("natural-2p2v", {}),
    ("direction-cosines", {}),
    ("gibbs", {}),
    ("quaternion", {"eliminate": True}),
]


@pytest.mark.representatives(id="natural-options0")
@pytest.mark.parametrize(("coordinates", "options"), OTHER_NUMBERS)
def test_all_coordinates_count(coordinates: str, options: dict[str, bool]) -> None:
    system = load(wheel("push", coordinates, speed=20.0), **options)  # type: ignore[arg-type]
    result = simulate(system, (0, 3), "rk4", 2e-3, t_eval=np.linspace(0, 3, 7))
    assert error(result, speed=20.0) < 5e-6


WOUND = [
    ("planar", "revolute", None),
    ("quaternion", "cylindrical", None),
    ("quaternion", "revolute", "relative"),
]


@pytest.mark.representatives(id="planar-revolute-None")
@pytest.mark.parametrize(("coordinates", "joint", "relative"), WOUND)
def test_an_angle_begins_with_turns(coordinates: str, joint: str, relative: str | None) -> None:
    """Ten turns, for forces along the angle, outputs and statics."""
    m = Model("begun", gravity=(0, 0, 0), coordinates=coordinates)
    inertia = 1.0 if coordinates == "planar" else (1.0, 1.0, 1.0)
    body = m.body("wheel", 1.0, inertia, angle=BEGIN, angular_velocity=(0, 0, SPEED))
    turns = m.parameter("turns", 10)
    a, b = (x.at(axis=(0, 0, 1), reference=(1, 0, 0)) for x in (m.ground, body))
    pin = getattr(m, joint)("pin", a, b, turns=turns)
    m.push("push", along=pin.angle, force=-(pin.angle - 20 * math.pi))
    m.output("angle", pin.angle)
    system = load(m, coordinates=relative)
    result = simulate(system, (0, math.pi), "rk4", 2e-3, t_eval=[0, 1, math.pi])
    assert np.abs(result["angle"] - 20 * math.pi - exact(result.t)).max() < 5e-6
    assert statics(system).outputs["angle"] == pytest.approx(20 * math.pi, abs=1e-9)
    system.set(turns=0)
    found = statics(system).outputs["angle"]
    assert found == pytest.approx(20 * math.pi, abs=1e-9)  # now it has to be wound


def test_turns_are_whole() -> None:
    m = Model("begun", gravity=(0, 0, 0))
    body = m.body("wheel", 1.0, (1.0, 1.0, 1.0))
    with pytest.raises(ModelError, match="'none', not a number"):
        m.revolute("pin", m.ground, body, at=(0, 0, 0), axis=(0, 0, 1), turns="none")
    without = m.revolute("none", m.ground, body, at=(0, 0, 0), axis=(0, 0, 1), turns=None)
    assert without.element.turns is None
    with pytest.raises(ModelError, match=r"turns=1.5, which is no whole number"):
        m.revolute("pin", m.ground, body, at=(0, 0, 0), axis=(0, 0, 1), turns=1.5)


@pytest.mark.representatives(id="planar-relative")
@pytest.mark.parametrize(
    ("coordinates", "relative"), [("planar", "relative"), ("quaternion", None)]
)
def test_a_stop_beyond_three_turns(coordinates: str, relative: str | None) -> None:
    """It is met after 2 s, and left with the same speed half a period later."""
    m = Model("stopped", gravity=(0, 0, 0), coordinates=coordinates)
    inertia = 1.0 if coordinates == "planar" else (1.0, 1.0, 1.0)
    body = m.body("wheel", 1.0, inertia, angular_velocity=(0, 0, 10.0))
    pin = m.revolute("pin", m.ground.at(), body.at())
    m.stop("limit", along=pin.angle, upper=20.0, stiffness=1e4, law="linear")
    m.output("angle", pin.angle)
    result = simulate(load(m, coordinates=relative), (0, 4), h=1e-3)
    left = 2.0 + math.pi / 100.0
    t, angle = result.t, result["angle"]
    away = np.where(t < 2.0, 10.0 * t, 20.0 - 10.0 * (t - left))
    free = (t < 2.0) | (t > left)
    assert np.abs(angle - away)[free].max() < 0.03
    assert angle.max() == pytest.approx(20.1, abs=1e-3)


@pytest.mark.slow
@pytest.mark.parametrize("coordinates", ["quaternion", "rotation-vector"])
def test_a_screw_over_many_turns(coordinates: str) -> None:
    """A nut on its thread against a torsion spring: a pendulum of the inertia of both motions."""
    lead, speed = 0.01, 60.0
    m = Model("screwed", gravity=(0, 0, 0))
    nut = m.body(
        "nut", 1.0, (1.0, 1.0, 1.0), coordinates=coordinates,
        angular_velocity=(0, 0, speed), velocity=(0, 0, speed * lead / (2 * math.pi)),
    )  # fmt: skip
    thread = m.screw("thread", m.ground.at(), nut.at(), lead=lead)
    m.torsion_spring("spring", m.ground.at(), nut.at(), stiffness=1.0)
    m.output("angle", thread.angle)
    m.output("turn", thread.turn)
    m.output("z", thread.displacement)
    result = simulate(load(m), (0, 3), "rk4", 1e-3)
    w = 1.0 / math.sqrt(1.0 + (lead / (2 * math.pi)) ** 2)
    expected = speed / w * np.sin(w * result.t)
    for found in (result["angle"], result["turn"], result["z"] * 2 * math.pi / lead):
        assert np.abs(found - expected).max() < 1e-5


@pytest.mark.slow
@pytest.mark.parametrize(
    ("coordinates", "relative"), [("planar", None), ("quaternion", "relative")]
)
def test_gears_over_many_turns(coordinates: str, relative: str | None) -> None:
    """A spring on the second wheel, twice as slow as the first."""
    m = Model("geared", gravity=(0, 0, 0), coordinates=coordinates)
    inertia = 1.0 if coordinates == "planar" else (1.0, 1.0, 1.0)
    first = m.body("first", 1.0, inertia, angular_velocity=(0, 0, 60.0))
    second = m.body("second", 1.0, inertia, position=(3, 0, 0), angular_velocity=(0, 0, -30.0))
    place = m.ground.at(3, 0, 0)
    one = m.revolute("one", m.ground.at(), first.at())
    two = m.revolute("two", place, second.at())
    mesh = m.gear("mesh", first=one.angle, second=two.angle, ratio=0.5)
    m.torsion_spring("spring", place, second.at(), stiffness=1.0)
    for name, what in (("one", one.angle), ("two", two.angle), ("turn", mesh.turn)):
        m.output(f"of_{name}", what)
    result = simulate(load(m, coordinates=relative), (0, 3), "rk4", 2e-3)
    w = math.sqrt(0.25 / 1.25)
    expected = 60.0 / w * np.sin(w * result.t)
    for found in (result["of_one"], -2.0 * result["of_two"], result["of_turn"]):
        assert np.abs(found - expected).max() < 1e-5


@pytest.mark.slow
@pytest.mark.parametrize("coordinates", ["planar", "natural"])
def test_inverse_dynamics_and_modes_of_several_turns(coordinates: str) -> None:
    m = Model("driven", gravity=(0, 0, 0), coordinates=coordinates)
    body = m.body("wheel", 1.0, 1.0 if coordinates == "planar" else (1.0, 1.0, 1.0))
    pin = m.revolute("pin", m.ground.at(), body.at())
    m.push("spring", along=pin.angle, force=-(pin.angle + 1e-4 * pin.angle**3))
    m.output("angle", pin.angle)
    torque = 50.0 + 1e-4 * 50.0**3
    drive = m.motor("drive", m.ground, body, torque=torque, axis=(0, 0, 1))
    assert drive is not None
    system = load(m)
    settle(system)
    assert modes(system).frequency == pytest.approx([math.sqrt(1.75) / (2 * math.pi)], rel=1e-9)
    if coordinates == "planar":
        t = np.linspace(0, 2, 41)
        law = {"wheel.theta": lambda t: (40 * t + t**3, 40 + 3 * t**2, 6 * t)}
        system = load(m)
        x = 40 * t + t**3
        needed = inverse_dynamics(system, t, law)["wheel.theta"]
        assert np.abs(needed - (6 * t + x + 1e-4 * x**3 - torque)).max() < 1e-8


def test_a_step_that_cannot_be_counted_is_made_in_halves_or_refused() -> None:
    """An angular acceleration of 1e6 rad/s2: the speed changes by turns in one step."""
    m = wheel("", speed=0.0)
    m.motor("drive", m.ground, m.bodies["wheel"], torque=1e6, axis=(0, 0, 1))
    system = load(m)
    result = simulate(system, (0, 0.1), h=0.02)
    assert result.success and result.counters.rejected > 0
    assert result["angle"][-1] == pytest.approx(BEGIN + 5e5 * 0.1**2, abs=1e-6)
    result = simulate(system, (0, 0.4), h=0.2)
    assert not result.success and "turns of an angle" in result.message


@pytest.mark.slow
def test_ensembles_count_for_every_member() -> None:
    system = load(wheel(speed=60.0))
    found = simulate_many(
        system, (0, 2), {"k": np.array([1.0, 4.0])}, h=1e-3, t_eval=[0.0, 1.0, 2.0], series="angle"
    )
    for k, stiffness in enumerate((1.0, 4.0)):
        w = math.sqrt(stiffness)
        expected = BEGIN * np.cos(w * found.t) + 60 / w * np.sin(w * found.t)
        assert np.abs(found["angle"][k] - expected).max() < 1e-3


@pytest.mark.slow
def test_sensitivities_of_several_turns() -> None:
    system = load(wheel(speed=60.0), sensitivities=True)
    result = simulate(system, (0, 2), "newmark", 1e-3, t_eval=[0, 1, 2], sensitivities=["k"])
    t = result.t
    slope = -BEGIN * t * np.sin(t) / 2 + 60 * (t * np.cos(t) - np.sin(t)) / 2
    assert np.abs(result.sensitivity("angle", "k") - slope).max() < 1e-3


@pytest.mark.slow
def test_loops_and_c_count_too() -> None:
    for options in ({"layout": "loop"}, {"backend": "c"}, {"backend": "c", "reduced": True}):
        if "backend" in options and not _has_compiler():
            continue
        system = load(wheel(coordinates="quaternion", speed=60.0), **options)  # type: ignore[arg-type]
        assert error(simulate(system, (0, 2), h=1e-3, t_eval=[0, 1, 2]), speed=60.0) < 2e-2


def test_angles_of_euler_that_are_not_defined_jump_and_nothing_is_refused() -> None:
    """A body that turns about x passes the places where the first and the last axis meet."""
    m = Model("tumbling", gravity=(0, 0, 0))
    body = m.body("body", 1.0, (1.0, 2.0, 3.0), angular_velocity=(7.0, 0, 0))
    m.output("attitude", body.euler("zxz"))
    m.output("roll", body.euler("xyz"))
    for method in ("newmark", "rk4"):
        result = simulate(load(m), (0, 3), method, 1e-2)
        assert result.success and np.isfinite(result.outputs).all()
        assert result["roll.1"][-1] == pytest.approx(21.0, abs=0.05)
        for name, at in (("attitude.1", 0), ("attitude.3", 0)):
            turned = np.abs(np.diff(result[name]))
            assert turned.max(initial=at) < 1.01 * math.pi


def test_groups_count_too() -> None:
    from mbdgen.grouping.group_loading import load_groups
    from mbdgen.runtime.groups.group_simulation import simulate_by_groups

    result = simulate_by_groups(load_groups(wheel(speed=60.0)), (0, 2), 1e-3, t_eval=[0, 1, 2])
    assert error(result, speed=60.0) < 1e-2


@pytest.mark.slow
def test_kinematics_counts_between_its_instants() -> None:
    m = Model("driven", gravity=(0, 0, 0), coordinates="planar")
    body = m.body("wheel", 1.0, 1.0, angular_velocity=(0, 0, 40.0))
    pin = m.revolute("pin", m.ground.at(), body.at())
    m.rotation_driver("driver", m.ground.at(), body.at(), angle=40.0 * m.t)
    m.torsion_spring("spring", m.ground.at(), body.at(), stiffness=1.0)
    m.output("angle", pin.angle)
    m.output("torque", m.attached["driver"].torque[2])
    found = kinematics(load(m), np.array([0.0, 1.0, 2.0]), reactions=True)
    assert np.allclose(found["angle"], [0.0, 40.0, 80.0], atol=1e-9)
    assert np.allclose(found["torque"], [0.0, 40.0, 80.0], atol=1e-6)


def test_linear_models_begin_with_the_turns_of_a_checkpoint() -> None:
    m = wheel("", speed=60.0)
    pin = m.attached["pin"]
    m.push("hard", along=pin.angle, force=-1e-3 * pin.angle**3)
    system = load(m, second=True)
    run = simulate(system, (0, 1.0), h=1e-3)
    angle = run["angle"][-1]
    assert angle > 7 * math.pi
    run.checkpoint().set_initial(system)
    model = linearise(system)
    assert np.abs(model.A).max() == pytest.approx(3e-3 * angle**2, rel=1e-9)
    again = simulate(system, (0, 0.1), h=1e-3)
    assert again["angle"][0] == pytest.approx(angle, abs=1e-12)
    many = simulate_many(system, (0, 0.1), {"k": np.ones(2)}, h=1e-3, series="angle")
    assert (many["angle"][:, 0] == again["angle"][0]).all()


@pytest.mark.representatives(id="planar")
@pytest.mark.parametrize("coordinates", ["planar", "quaternion"])
def test_statics_follows_angles_over_turns(coordinates: str) -> None:
    """A spring that is twisted by 50 rad: three times as stiff there as its law is at rest."""
    m = wheel("", coordinates, speed=0.0)
    pin = m.attached["pin"]
    m.push("spring", along=pin.angle, force=-(pin.angle + 1e-4 * pin.angle**3))
    torque = 50.0 + 1e-4 * 50.0**3
    m.motor("load", m.ground, m.bodies["wheel"], torque=torque, axis=(0, 0, 1))
    system = load(m)
    found = statics(system)
    assert found.outputs["angle"] == pytest.approx(50.0, rel=1e-9)
    rates = linearise(system, at=found.state).eigenvalues()
    assert np.abs(rates) == pytest.approx(math.sqrt(1 + 3e-4 * 50.0**2), rel=1e-9)
    settle(system)
    result = simulate(system, (0, 0.1), h=1e-3)
    assert np.abs(result["angle"] - 50.0).max() < 1e-6


@pytest.mark.slow
def test_javascript_counts_alike(tmp_path: Path) -> None:
    if which("node") is None:
        pytest.skip("there is no node")
    from mbdgen.compiler import build

    build(wheel(coordinates="quaternion", speed=60.0), tmp_path, backend="js")
    script = tmp_path / "run.mjs"
    script.write_text(
        """import { system } from "./wound.mjs";
import { simulate } from "./wound.runtime.mjs";
const motions = ["newmark", "rk4"].map((method) =>
    simulate(system, [0, 2], { method, every: 500 }));
console.log(JSON.stringify(motions.map((m) => [...m.series("angle")])));
"""
    )
    done = subprocess.run(["node", script], capture_output=True, text=True, check=True)
    system = load(wheel(coordinates="quaternion", speed=60.0))
    for method, angles in zip(("newmark", "rk4"), json.loads(done.stdout), strict=True):
        result = simulate(system, (0, 2), method, 1e-3, t_eval=np.linspace(0, 2, 5))
        assert np.abs(result["angle"] - angles).max() < 1e-9


def _has_compiler() -> bool:
    return any(which(name) for name in ("cc", "gcc", "clang"))
