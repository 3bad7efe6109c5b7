"""What cannot be assembled, does not move, or has no inertia; and what assembly must respect."""

import logging
from math import cos, pi, sin
from typing import Any

import numpy as np
import pytest
import sympy

from mbdgen import Model, load, simulate
from mbdgen.errors import AssemblyError, OptionError, SingularSystemError
from mbdgen.language.bodies import homogeneous_shapes
from mbdgen.runtime.initialisation.assembly import assemble
from mbdgen.runtime.initialisation.constraint_diagnosis import diagnose
from tests.unit.errors.machines import Z, bar, flat, free, pinned
from tests.unit.errors.refused import refused

SPAN = (0.0, 0.02)


def run(model: Model, **options: Any) -> Any:
    return simulate(load(model), SPAN, h=0.01, progress=False, **options)


# --- contradictions ---------------------------------------------------------------------------


def test_out_of_reach() -> None:
    model, rod = pinned("reach")
    link = bar(model, "link", position=(1.5, 0.0))
    model.revolute("knee", rod.at(0.5), link.at(-0.5))
    model.revolute("far", link.at(0.5), model.ground.at(5.0))
    with refused("cannot be assembled", "'far' is violated by", "'knee'", kind=AssemblyError):
        run(model)


def test_two_distances_that_cannot_both_hold() -> None:
    model = Model("tied")
    ball = model.point_mass("ball", 1.0, position=(1, 0, 0))
    model.distance("short", model.ground.at(), ball, length=1.0)
    model.distance("long", model.ground.at(), ball, length=1.5)
    with refused("'short' is violated by", "'long' is violated by", kind=AssemblyError):
        run(model)


@pytest.mark.slow
def test_driver_against_a_fixed_joint(caplog: pytest.LogCaptureFixture) -> None:
    def model(name: str, power: int) -> Model:
        model = flat(name)
        rod = bar(model)
        model.fixed("weld", model.ground, rod)
        model.rotation_driver("drive", model.ground, rod, axis=Z, angle=model.t**power)
        return model

    with refused("contradict", "velocities", "'drive'", "'weld'", kind=AssemblyError):
        run(model("pushed", 1))
    with refused("contradict", "accelerations", "'drive'", "'weld'", kind=AssemblyError):
        run(model("pulled", 2))
    for method in ("newmark", "rk4"):  # the beginning itself is without fault
        result = run(model("creeping", 3), method=method)
        assert not result.success and result.status == -5
        assert "'drive' follows from those of 'weld'" in result.message
        assert "after t = 0 s" in result.message and "remove one" in result.message


def skates(*names: str, turn: float = 0.0) -> Model:
    """A body on blades, all along its x axis and in one line, whose heading may be driven."""
    model = Model("skates", gravity=(0, 0, 0))
    rink = model.body("sledge", 1.0, (1, 1, 1), velocity=(1, 0, 0))
    for k, name in enumerate(names):
        model.knife_edge(name, model.ground, rink.at(k, 0, 0), axis_b=(0, 1, 0), axis_a=Z)
    if turn:
        model.rotation_driver("helm", model.ground, rink, axis=Z, angle=turn * model.t)
    return model


@pytest.mark.slow
def test_blades_that_hold_the_same_are_refused_wherever_they_stand() -> None:
    """Two of them hold the heading, the third holds what both hold already."""
    assert run(skates("fore", "aft")).success
    with refused("'fore', 'aft', 'third' hold the same slip", "rank", kind=AssemblyError):
        run(skates("fore", "aft", "third"))
    # A driver that turns what two blades keep straight: no velocity fulfils all three.
    with refused("contradict", "velocities", "'helm'", "'aft'", kind=AssemblyError):
        run(skates("fore", "aft", turn=1.0))


def test_one_blade_may_say_what_a_guide_says() -> None:
    model = Model("guided", gravity=(0, 0, 0))
    sledge = model.body("sledge", 1.0, (1, 1, 1), velocity=(1, 0, 0))
    model.knife_edge("blade", model.ground, sledge.at(), axis_b=(0, 1, 0), axis_a=Z)
    model.prismatic("guide", model.ground, sledge, axis=(1, 0, 0))
    result = run(model)
    assert result.success and result.info.redundancy.startswith("1 equation of 'blade' follows")
    assert result["sledge.x"][-1] == pytest.approx(0.02, abs=1e-12)


# --- degrees of freedom -----------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["revolute", "point_in_plane", "fixed"])
def test_structures_do_not_move(kind: str) -> None:
    model, rod = pinned(f"structure_{kind}")
    if kind == "revolute":
        model.revolute("end", model.ground, rod, at=(1, 0), axis=Z)
    elif kind == "fixed":
        model.fixed("end", model.ground, rod)
    else:
        model.point_in_plane("end", model.ground, rod, at=(1, 0), axis=(0, 1, 0))
    dependent = [] if kind == "point_in_plane" else ["'end' follow", "'pin'"]
    with refused(f"'structure_{kind}'", "over-constrained: 0 DOF", *dependent, kind=AssemblyError):
        run(model)


DRIVES = {
    "moving": lambda m: m.t**2,
    "late": lambda m: sympy.Piecewise((0, m.t < 100), ((m.t - 100) ** 3, True)),
    "resting": lambda m: m.parameter("angle", 0.0),
}


@pytest.mark.parametrize("drive", DRIVES)
def test_driven_mechanisms_have_no_freedom_and_are_legal(drive: str) -> None:
    model, rod = pinned(f"driven_{drive}")
    model.rotation_driver("drive", model.ground, rod, axis=Z, angle=DRIVES[drive](model))
    result = run(model)
    assert result.success and result.info.dof == 0 and result.info.redundant == 0


def test_a_rod_of_changing_length_drives_too() -> None:
    model, rod = pinned("stroke")
    length = 1.5 + sympy.sin(model.t) / 10
    model.distance("stroke", rod.at(0.5), model.ground.at(1.0, 1.5), length=length)
    result = run(model)
    assert result.success and result.info.dof == 0


def test_a_bar_pinned_twice_with_a_slider_has_one_freedom() -> None:
    model = flat("ladder")
    rod = bar(model, position=(0.5 * cos(1), 0.5 * sin(1)), angle=1.0 + pi / 2)
    model.point_in_plane("floor", model.ground.at(axis=(0, 1, 0)), rod.at(-0.5))
    model.point_in_plane("wall", model.ground.at(axis=(1, 0, 0)), rod.at(0.5))
    system = load(model)
    assert diagnose(system, 0.0, assemble(system).q).dof == 1


# --- motion without inertia -------------------------------------------------------------------


def singular(model: Model, body: str) -> None:
    with refused("singular", f"'{body}'", kind=SingularSystemError):
        run(model)


def test_free_thin_rods() -> None:
    for name, description in (
        ("thin", {"mass": 1.0, "inertia": (0, 1, 1)}),
        ("turned", {"mass": 1.0, "inertia": (0, 1, 1), "orientation": (0.5, 0.5, 0.5, 0.5)}),
        ("oblique", {"mass": homogeneous_shapes.rod(1.0, 1.0, axis=(1, 2, 3))}),
        ("point", {"mass": 1.0}),
    ):
        model = Model(f"free_{name}")
        model.body("stout", 1.0, (1, 1, 1))
        model.body("rod", **description)
        singular(model, "rod")


def test_massless_bodies() -> None:
    model = Model("haunted")
    model.body("stout", 1.0, (1, 1, 1))
    model.body("ghost", 0.0)
    singular(model, "ghost")
    model = flat("haunted_plane")
    model.body("ghost", 0.0)
    singular(model, "ghost")


def test_a_thin_rod_on_a_ball_joint_spins_without_inertia() -> None:
    model = Model("ball_joint")
    rod = model.body("rod", 1.0, (0, 1 / 12, 1 / 12), position=(0.5, 0, 0))
    model.spherical("ball", model.ground, rod, at=(0, 0, 0))
    singular(model, "rod")


def test_zero_inertia_is_legal_where_joints_prevent_the_motion() -> None:
    result = simulate(load("pendulum"), SPAN, h=0.01)
    assert result.success and result.info.dof == 1


def test_a_massless_link_is_legal() -> None:
    model = flat("link")
    crank = bar(model, "crank", position=(0.5, 0.0))
    link = model.body("link", 0.0, position=(1.5, 0.0))
    model.revolute("A", model.ground.at(), crank.at(-0.5))
    model.revolute("B", crank.at(0.5), link.at(-0.5))
    model.point_in_plane("C", model.ground.at(axis=(0, 1, 0)), link.at(0.5))
    assert run(model).success


# --- initial values that are respected --------------------------------------------------------


def four_bar(wrong: float, fixed: Any = ()) -> Model:
    """A unit square of bars; every angle is given with an error."""
    model = flat("square")
    crank = bar(model, "crank", position=(0.0, 0.5), angle=pi / 2 + wrong, fixed=fixed)
    coupler = bar(model, "coupler", position=(0.5, 1.0), angle=-wrong)
    rocker = bar(model, "rocker", position=(1.3, 0.4), angle=pi / 2 - 0.6 + wrong)
    ground = model.ground
    model.revolute("A", ground.at(), crank.at(-0.5))
    model.revolute("B", crank.at(0.5), coupler.at(-0.5))
    model.revolute("C", coupler.at(0.5), rocker.at(0.5))
    model.revolute("D", ground.at(1.6), rocker.at(-0.5))
    return model


def test_four_bar_from_wrong_angles(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "mbdgen.runtime")
    exact = assemble(load(four_bar(0.0)))
    system = load(four_bar(1e-2))
    caplog.clear()
    state = assemble(system)
    assert "assembly moved 9 coordinates" in caplog.text
    rows = system.work.rows
    phi = system.residual(0.0, state.q, state.v, state.a, state.lam)[rows]
    assert np.abs(phi).max() < 1e-13
    assert np.abs(state.q - exact.q).max() < 0.05  # the branch of the guess, not the crossed one
    phi_dot, phi_ddot = system.rates(0.0, state.q, state.v, state.a)
    assert np.abs(phi_dot).max() < 1e-12 and np.abs(phi_ddot).max() < 1e-9


def test_fixed_coordinates_stay() -> None:
    system = load(four_bar(1e-2, fixed="theta"))
    state = assemble(system)
    assert state.q[2] == pi / 2 + 1e-2
    assert np.abs(system.residual(0.0, *state[1:])).max() < 1e-9


def test_too_many_fixed_coordinates() -> None:
    model, _ = pinned("held", position=(0.7, 0.1), fixed="all")
    with refused("'pin' is violated by", kind=AssemblyError):
        run(model)


def test_velocities_are_projected_in_the_metric_of_the_mass() -> None:
    model, _ = pinned("swung", velocity=(0.3, 1.0), angular_velocity=0.5)
    state = assemble(load(model))
    # v = w (0, 1/2): m/2 (1 - w/2) = I (w - 1/2) is the smallest change of kinetic energy.
    rate = (0.5 + 0.5 / 12) / (0.25 + 1 / 12)
    assert state.v == pytest.approx([0.0, 0.5 * rate, rate])


def test_multipliers_and_reactions_of_the_start() -> None:
    speed = 3.0
    model, _ = pinned(
        "swing",
        position=(0.0, -0.5),
        angle=-pi / 2,
        velocity=(speed / 2, 0),
        angular_velocity=speed,
    )
    model.output("pin", model.attached["pin"].force)
    system = load(model)
    force = system.outputs(0.0, *assemble(system)[1:])
    assert force == pytest.approx([0.0, 9.81 + 0.5 * speed**2, 0.0], abs=1e-9)


@pytest.mark.parametrize("start", [0.5, 2.5, pi, -3.0, 5.0])
def test_a_driver_finds_its_own_angle_and_not_the_one_half_a_turn_away(start: float) -> None:
    model, rod = pinned("turned")
    first = model.parameter("first", 0.0)
    model.rotation_driver("drive", model.ground, rod, axis=Z, angle=first + model.t)
    system = load(model)
    system.set(first=start)
    angle = assemble(system).q[2]
    assert cos(angle) == pytest.approx(cos(start)) and sin(angle) == pytest.approx(sin(start))


# --- numbers that cannot be evaluated at the start ----------------------------------------------

STARTS: dict[str, Any] = {
    "logarithm": lambda m, b: sympy.log(m.t),
    "division": lambda m, b: 1 / (b.at().x - 0.5),
    "root": lambda m, b: sympy.sqrt(b.at().x - 1),
    "overflow": lambda m, b: sympy.exp(2000 * b.at().x),
    "slope": lambda m, b: sympy.sqrt(b.at().vx ** 2 + b.at().vy ** 2),
}


@pytest.mark.parametrize("case", STARTS)
def test_forces_that_are_not_finite_at_the_start(case: str) -> None:
    with refused("not finite at t = 0", "'rod'", "force x", kind=AssemblyError):
        run(free(f"start_{case}", STARTS[case]))


def test_drivers_that_are_not_finite_at_the_start() -> None:
    model, rod = pinned("start_driver")
    model.rotation_driver("drive", model.ground, rod, axis=Z, angle=sympy.log(model.t))
    with refused("not finite at t = 0", "'drive'", kind=AssemblyError):
        run(model)


def test_springs_whose_ends_meet_after_a_change_of_parameters() -> None:
    model = flat("meeting")
    gap = model.parameter("gap", 1.0)
    rod = bar(model, position=(gap, 0.0))
    model.spring("spring", model.ground, rod, stiffness=1.0)
    system = load(model)
    with refused("gap = 0, the distance", "spring 'spring'", "'rod'", kind=OptionError):
        system.set(gap=0.0)


def test_messages_are_logged_once(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.WARNING, "mbdgen")
    assert run(free("quiet")).success
    assert caplog.text == ""
