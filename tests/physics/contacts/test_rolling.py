"""Motions on constraints of velocities: rolling discs and spheres, and a skate, in closed form."""

from dataclasses import dataclass
from math import cos, pi, sin, sqrt
from typing import Any

import numpy as np
import pytest

from mbdgen import Model, Result, load, modes, simulate
from mbdgen.errors import OptionError
from mbdgen.joints.base import Joint
from mbdgen.language.bodies.orientation import axis_angle
from mbdgen.language.read import read
from mbdgen.runtime.initialisation.assembly import assemble
from mbdgen.runtime.initialisation.constraint_diagnosis import diagnose
from mbdgen.runtime.system.system import System
from tests.convergence import study
from tests.physics.running import SOONEST, run, system, worst

G = 9.81


def coin(**arguments: Any) -> System:
    """The shipped disc."""
    return system("rolling_disc", layout="loop", **arguments)


def test_three_speeds_in_five_positions() -> None:
    disc = coin()
    state = assemble(disc)
    found = diagnose(disc, 0.0, state.q)
    assert (found.dof, found.position_dof, found.rank, found.redundant) == (3, 5, 4, 0)
    assert not found.driven
    # The initial values of the model are those of the motion, exactly.
    assert worst(state.q, disc.q0) < 1e-15
    assert worst(state.v, disc.v0) < 1e-15


def test_steady_rolling_around_a_circle() -> None:
    """The axle keeps its height and goes round once in 2 pi/turn, and so does all the rest."""
    turn = 2.0
    instants = np.linspace(0, 2 * pi / turn, 25)
    result = run(coin(turn=turn), instants, 2e-3, "dop853")
    axle, angle = result["axle"], turn * instants
    expected = np.column_stack([-cos(-0.3) * np.sin(angle), cos(-0.3) * np.cos(angle)])
    assert worst(axle[:, :2], expected) < 1e-10
    assert worst(axle[:, 2], np.full(25, sin(-0.3))) < 1e-10
    for name in ("contact", "centre"):
        path = result[name]
        assert worst(path[0], path[-1]) < 1e-9  # closed after one turn
        middle = 0.5 * (path[0] + path[12])
        radius = np.linalg.norm((path - middle)[:, :2], axis=1)
        assert np.ptp(radius) < 1e-9
    # Weight, and what bends the path of the centre; nothing along the track.
    force = result["reaction"]
    speed = np.linalg.norm(np.gradient(result["centre"], instants, axis=0, edge_order=2), axis=1)
    assert worst(force[:, 2], np.full(25, 2.0 * G)) < 1e-9
    assert np.linalg.norm(force[12, :2]) == pytest.approx(2.0 * speed[12] * turn, rel=2e-2)


def test_touching_point_rests_while_the_disc_wobbles() -> None:
    result = run(coin(push=0.8), np.linspace(0, 2, 81), 2e-3)
    assert np.ptp(result["axle"][:, 2]) > 0.1
    assert np.abs(result["slip"]).max() < 1e-13
    assert np.abs(result["contact"][:, 2]).max() < 1e-13


@pytest.mark.parametrize(
    ("method", "order", "h"), [("newmark", 2, 8e-3), ("rk4", 4, 8e-3), ("dimcd", 2, 8e-3)]
)
def test_order(method: str, order: int, h: float) -> None:
    disc, end = coin(push=0.8), np.array([0.0, 0.8])
    names = ("contact.x", "contact.y", "axle.z")

    def at_end(result: Result) -> np.ndarray:
        return np.array([result[name][-1] for name in names])

    exact = at_end(run(disc, end, 1e-3, "dop853"))
    found = study(lambda step: at_end(run(disc, end, step, method)), h, exact, levels=4)
    assert found.order == pytest.approx(order, abs=0.25), found.table


def wheel(grip: str) -> System:
    """An upright wheel of 2 kg with 3 N m about its axle; where it may, it slides along that."""
    m = Model("wheel", gravity=(0, 0, -G))
    side = GRIPS[grip][2]
    disc = m.body(
        "disc",
        2.0,
        (0.1, 0.2, 0.1),
        position=(0, 0, 0.5),
        velocity=(1, side, 0),
        angular_velocity=(0, 2, 0),
    )
    road = m.ground.at(axis=(0, 0, 1))
    tyre = m.rolling_disc("tyre", road, disc.at(axis=(0, 1, 0)), radius=0.5, grip=grip)
    m.torque("drive", disc.at(), torque=(0, 3, 0), axes="body")
    m.output("centre", disc.at())
    m.output("velocity", disc.at().velocity)
    m.output("omega", disc.angular_velocity)
    m.output("reaction", tyre.force)
    return load(m, layout="loop", backend=SOONEST)


# Acceleration forward, of the spin, and side speed; rolling: 3/0.5 N move 2 kg and 0.2/0.25 kg.
GRIPS = {
    "full": (6 / 2.8, 2 * 6 / 2.8, 0.0),
    "forward": (6 / 2.8, 2 * 6 / 2.8, 0.4),
    "sideways": (0.0, 15.0, 0.0),
    "none": (0.0, 15.0, 0.4),
}


@pytest.mark.representatives(id="full")
@pytest.mark.parametrize("grip", GRIPS)
def test_grip(grip: str) -> None:
    """What has no grip keeps its speed; what has it accelerates by the force that it gives."""
    along, spin, side = GRIPS[grip]
    result = run(wheel(grip), np.linspace(0, 1, 11), 1e-2, "dop853")
    assert worst(result["velocity.x"], 1 + along * result.t) < 1e-10
    assert worst(result["velocity.y"], np.full(11, side)) < 1e-12
    assert worst(result["omega.y"], 2 + spin * result.t) < 1e-10
    expected = (2 * along, 0.0, 2 * G)
    assert worst(result["reaction"], np.tile(expected, (11, 1))) < 1e-9


def test_a_disc_on_ice_falls_straight_down() -> None:
    """Its height is r times the sine of the axle's angle; nothing pushes it along the ice."""
    m = Model("ice", gravity=(0, 0, -G))
    inertia = (0.125, 0.25, 0.125)
    disc = m.body("disc", 2.0, inertia, position=(0, 0, 0.5), angular_velocity=(1, 3, 0))
    road = m.ground.at(axis=(0, 0, 1))
    m.rolling_disc("rim", road, disc.at(axis=(0, 1, 0)), radius=0.5, grip="none")
    m.output("centre", disc.at())
    m.output("axle", disc.at().e2)
    result = run(load(m, layout="loop", backend=SOONEST), np.linspace(0, 0.3, 31), 1e-3, "dop853")
    assert result["axle.z"].max() > 0.3
    assert worst(result["centre.z"], 0.5 * np.sqrt(1 - result["axle.z"] ** 2)) < 1e-12
    assert np.abs(result["centre"][:, :2]).max() < 1e-12
    assert result.counters.energy_drift < 1e-10


def test_energy_stays() -> None:
    """The error of the trapezoidal rule falls with h^2, that of order 8 is round-off."""
    disc, span = coin(push=0.8), np.array([0.0, 2.0])
    drift = [run(disc, span, h).counters.energy_drift for h in (4e-3, 2e-3)]
    assert drift[0] / drift[1] == pytest.approx(4, abs=0.5)
    assert run(disc, span, 2e-3, "dop853").counters.energy_drift < 1e-11


def turntable(rate: float) -> System:
    """A homogeneous sphere on a table that turns about the vertical."""
    m = Model("turntable", gravity=(0, 0, -G))
    table = m.body("table", 1.0, (1, 1, 1), angular_velocity=(0, 0, rate))
    r, x, y = 0.1, 0.4, 0.1
    # It rolls from the start: its touching point goes with the table.
    sphere = m.body(
        "sphere",
        2.0,
        (0.4 * 2.0 * r**2,) * 3,
        position=(x, y, r),
        velocity=(0.2, 0.1, 0),
        angular_velocity=((0.1 - rate * x) / -r, (0.2 + rate * y) / r, 0),
    )
    m.revolute("bearing", m.ground, table, at=(0, 0, 0), axis=(0, 0, 1))
    m.rotation_driver("motor", m.ground, table, axis=(0, 0, 1), angle=rate * m.t)
    m.rolling_sphere("rolling", table.at(axis=(0, 0, 1)), sphere.at(), radius=r)
    m.output("centre", sphere.at())
    return load(m, layout="loop")


@pytest.mark.slow
def test_sphere_on_a_turntable_goes_around_a_circle() -> None:
    """For a homogeneous sphere with two sevenths of the table's rate, wherever the table's axis."""
    rate = 3.0
    table = turntable(rate)
    state = assemble(table)
    assert worst(state.v, table.v0) < 1e-15
    instants = np.linspace(0, 2, 21)
    result = run(table, instants, 1e-3, "rk4")
    w, x, y = 2 / 7 * rate, 0.4, 0.1
    middle = np.array([x - 0.1 / w, y + 0.2 / w])
    turned = w * instants
    out = np.array([x, y]) - middle
    expected = middle + np.column_stack(
        [
            out[0] * np.cos(turned) - out[1] * np.sin(turned),
            out[0] * np.sin(turned) + out[1] * np.cos(turned),
        ]
    )
    assert worst(result["centre"][:, :2], expected) < 1e-9
    assert result.counters.energy_drift < 1e-8  # the motor's work included


@pytest.mark.representatives(id="torus")
@pytest.mark.parametrize("shape", ["sphere", "disc", "torus"])
def test_rolling_down(shape: str) -> None:
    """An inclined plane: ``x'' = g sin(alpha)/(1 + I/(m r^2))`` with the rolling radius ``r``."""
    alpha, mass, r, tube = 0.3, 2.0, 0.2, 0.05
    m = Model(f"rolling_{shape}_down", gravity=(G * sin(alpha), 0, -G * cos(alpha)))
    inertia, size = 0.4 * mass * r**2, r
    if shape != "sphere":
        inertia = 0.5 * mass * r**2
    if shape == "torus":
        size = r + tube
    wheel = m.body("wheel", mass, (inertia / 2, inertia, inertia / 2), position=(0, 0, size))
    plane = m.ground.at(axis=(0, 0, 1))
    if shape == "sphere":
        m.rolling_sphere("rolling", plane, wheel.at(), radius=r)
    else:
        rounding = tube if shape == "torus" else 0.0
        hub = wheel.at(axis=(0, 1, 0))
        m.rolling_disc("rolling", plane, hub, radius=r, rounding=rounding)
    m.output("centre", wheel.at())
    t = np.linspace(0, 1, 5)
    result = run(load(m, layout="loop"), t, 1e-2, "dop853")
    acceleration = G * sin(alpha) / (1 + inertia / (mass * size**2))
    assert worst(result["centre"][:, 0], 0.5 * acceleration * t**2) < 1e-11


def test_wheel_of_a_planar_body() -> None:
    """In a plane rolling could be integrated: the turned angle is the distance over the radius."""
    m = Model("planar_wheel", gravity=(2.0, -G, 0))
    wheel = m.planar_body("wheel", 3.0, 0.2, position=(0, 0.4))
    m.rolling_disc("rolling", m.ground.at(axis=(0, 1, 0)), wheel.at(axis=(0, 0, 1)), radius=0.4)
    m.output("x", wheel.at().x)
    m.output("angle", wheel.variable("angle"))
    t = np.linspace(0, 2, 9)
    result = run(load(m, layout="loop"), t, 1e-2)
    assert worst(result["x"], -0.4 * result["angle"]) < 1e-12
    assert worst(result["x"], 0.5 * 2.0 / (1 + 0.2 / (3.0 * 0.4**2)) * t**2) < 1e-12


def skate(pull: float, rate: float) -> System:
    """A sledge on an inclined plane, seen from above: the slope is along x."""
    m = Model("skate", gravity=(pull, 0, 0))
    sledge = m.planar_body("sledge", 2.0, 0.3, angular_velocity=rate)
    m.knife_edge("blade", m.ground.at(), sledge.at(axis=(0, 1, 0)))
    m.output("centre", sledge.at())
    return load(m, layout="loop")


@pytest.mark.parametrize(("method", "bound"), [("newmark", 2e-5), ("rk4", 1e-9), ("dimcd", 3e-5)])
def test_skate_on_a_slope_draws_a_cycloid(method: str, bound: float) -> None:
    """It does not slide down: on average it moves across the slope."""
    pull, rate = 3.0, 2.0
    t = np.linspace(0, 5, 51)
    result = run(skate(pull, rate), t, 2e-3, method)
    size, turned = pull / (2 * rate**2), rate * t
    expected = size * np.column_stack([np.sin(turned) ** 2, turned - 0.5 * np.sin(2 * turned)])
    assert worst(result["centre"][:, :2], expected) < bound


@dataclass(frozen=True)
class Belt(Joint):
    """b is carried along x of a with a speed that changes with time."""

    name = "belt"
    speed: Any = 0.0

    def equations(self, a: Any, b: Any) -> list[Any]:
        """State nothing of positions."""
        return []

    def velocity_equations(self, a: Any, b: Any) -> list[Any]:
        """State the speed."""
        return [a.e1.dot(b.v - a.v) - self.speed]


@pytest.mark.representatives(id=["rk4", "dimcd"])
@pytest.mark.parametrize("method", ["newmark", "rk4", "dimcd"])
def test_what_velocities_shall_be_does_work(method: str) -> None:
    """A belt pushes a mass up a hill: its work is what the mass gains."""
    m = Model("belt", gravity=(-G, 0, 0))
    load_ = m.body("load", 1.5, (1, 1, 1), velocity=(0.5, 0, 0))
    force = m.add("belt", Belt, m.ground.at(), load_.at(), speed=0.5 + 0.25 * m.t**2)
    m.output("x", load_.at().x)
    m.output("pull", force.force)
    belt = load(m, layout="loop")
    found = diagnose(belt, 0.0, assemble(belt).q)
    assert found.driven and found.dof == 5 and found.position_dof == 6
    t = np.linspace(0, 2, 9)
    result = run(belt, t, 1e-3, method)
    assert worst(result["x"], 0.5 * t + t**3 / 12) < 1e-6
    assert worst(result["pull"][:, 0], 1.5 * (G + 0.5 * t)) < 5e-3
    assert result.counters.energy_drift < 2e-5


def carried(push: float, second: bool = False) -> System:
    """The same disc with a carrier of its touching point that has no mass."""
    m = read("rolling_disc", {"push": push})
    disc = m.bodies["disc"]
    lean = -0.3
    place = disc.motion.position
    v, w = disc.motion.velocity, (push, 0.0, 2.0)  # leans and turns with the disc, but for rolling
    carrier = m.body(
        "carrier", 0.0, (0, 0, 0), position=place, orientation=axis_angle((1, 0, 0), lean),
        velocity=v, angular_velocity=w,
    )  # fmt: skip
    del m.attached["rolling"]
    for name in ("contact", "slip", "reaction"):
        del m.outputs[name]
    hub = {"at": place, "axis": (0, cos(lean), sin(lean))}
    m.revolute("axle", carrier, disc, **hub)
    m.dot_product("level", m.ground, carrier, axis_a=(0, 0, 1), axis_b=(1, 0, 0))
    rolling = m.rolling_point("rolling", carrier.at(0, 0, -0.5), disc.at())
    m.output("contact", rolling.contact)
    return load(m, layout="loop", second=second)


@pytest.mark.slow
def test_small_motions_about_the_circle() -> None:
    r"""Wobbling of a disc that rolls around a circle, against Routh's equations by hand.

    With the lean ``alpha``, spin ``n`` about the axle and ``w`` about the diameter that leans,

    .. math::
        (A + m r^2) \ddot\alpha = (C + m r^2) w n - A w^2 \tan\alpha + m g r \sin\alpha, \quad
        (C + m r^2) \dot n = -m r^2 w \dot\alpha, \quad
        A \dot w = (A w \tan\alpha - C n) \dot\alpha

    The carrier does not spin, so that the motion is steady in its axes.
    """
    disc = carried(0.0, second=True)
    found = modes(disc)
    m, r, lean, turn = 2.0, 0.5, -0.3, 2.0
    A, C, w = m * r**2 / 4, m * r**2 / 2, turn * cos(lean)
    n = (A * w**2 * np.tan(lean) - m * G * r * sin(lean)) / ((C + m * r**2) * w)
    by_n, by_w = -m * r**2 * w / (C + m * r**2), w * np.tan(lean) - C * n / A
    pull = (C + m * r**2) * (w * by_n + n * by_w) - A * w**2 / cos(lean) ** 2
    pull += m * G * r * cos(lean) - 2 * A * w * by_w * np.tan(lean)
    assert pull < 0.0  # it wobbles and does not fall
    wobble = sqrt(-pull / (A + m * r**2))
    assert found.eigenvalues[-1] == pytest.approx(1j * wobble, rel=1e-7)
    # Place, heading and two speeds are free: the others are zero, up to the cube root of round-off.
    assert np.abs(found.eigenvalues[:-1]).max() < 1e-3 * wobble


@pytest.mark.slow
def test_axes_that_spin_see_no_steady_motion() -> None:
    """The same disc without a carrier: coefficients in its own axes change all the time."""
    with pytest.raises(OptionError, match="not at rest, nor in steady motion"):
        modes(load("rolling_disc", layout="loop", second=True))


@pytest.mark.representatives(id="dimcd-0.0002")
@pytest.mark.parametrize(("method", "bound"), [("dop853", 1e-10), ("dimcd", 2e-4)])
def test_a_carried_point_is_the_same(method: str, bound: float) -> None:
    """Nine independent equations, three degrees of freedom, as without the carrier."""
    disc = carried(0.8)
    found = diagnose(disc, 0.0, assemble(disc).q)
    assert (found.dof, found.rank - 2, found.redundant) == (3, 9, 0)
    t = np.linspace(0, 1, 11)
    expected = run(coin(push=0.8), t, 1e-3, "dop853")
    result = run(disc, t, 1e-3, method)
    for name in ("contact", "axle"):
        assert worst(result[name], expected[name]) < bound


METHODS = (
    ("bdf", 1e-2), ("radau", 1e-8), ("cvode", 1e-4), ("ida", 1e-4), ("generalized-alpha", 1e-3),
    ("hht", 1e-3), ("wilson", 5e-3), ("collocation", 2e-3), ("sdirk", 1e-6), ("cd-jerk", 1e-4),
)  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize(("method", "bound"), METHODS)
def test_all_kinds_of_methods(method: str, bound: float) -> None:
    disc, span = coin(push=0.3), np.array([0.0, 1.0])
    exact = run(disc, span, 1e-3, "dop853")["contact"][-1]
    assert worst(run(disc, span, 5e-3, method)["contact"][-1], exact) < bound


FORMULATIONS = (
    "index1", "baumgarte", "maggi", "maggi-frozen", "matrix-r", "nullspace-svd", "nullspace-qr",
    "nullspace-lu", "nullspace-gs", "projective", "udwadia-kalaba", "alf1", "penalty",
    "canonical-alf",
)  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_all_kinds_of_formulations(formulation: str) -> None:
    """Explicit steps; where nothing is projected, rolling drifts as all constraints do."""
    disc = coin(push=0.3)
    exact = run(disc, [0.0, 1.0], 1e-3, "dop853")["contact"][-1]
    result = simulate(disc, (0, 1), method="rk4", formulation=formulation, h=5e-3, progress=False)
    assert result.success, result.message
    assert worst(result["contact"][-1], exact) < 2e-5
    assert np.abs(result["slip"]).max() < 1e-6


@pytest.mark.slow
@pytest.mark.parametrize("formulation", ["index1", "index2", "index3", "ggl", "baumgarte", "alf3"])
def test_formulations_with_implicit_steps(formulation: str) -> None:
    """Second order: a quarter of the error at half the step."""
    disc = coin(push=0.3)
    exact = run(disc, [0.0, 1.0], 1e-3, "dop853")["contact"][-1]
    errors = []
    for h in (4e-3, 2e-3):
        result = simulate(
            disc, (0, 1), method="newmark", formulation=formulation, h=h, progress=False
        )
        errors.append(worst(result["contact"][-1], exact))
    assert errors[0] < 2e-3
    assert errors[1] < errors[0] / 3
