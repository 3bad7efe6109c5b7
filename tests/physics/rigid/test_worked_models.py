"""The worked models of a manual: spinning cone, four-bar with a motor, tricycle, chain.

Numbers in tables are those of integrators in other coordinates, printed to all their digits.
"""

from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from mbdgen import Result, mobility, simulate
from mbdgen.cli.app import app
from mbdgen.runtime.initialisation.assembly import assemble
from mbdgen.runtime.initialisation.constraint_diagnosis import diagnose
from mbdgen.runtime.system.system import System
from tests.physics.running import SOONEST, run, system, worst
from tests.reference import FloatArray
from tests.reference import load as reference


def model(name: str, **arguments: object) -> System:
    """A shipped model; what is tested here is the same in all backends."""
    return system(name, layout="loop", backend=SOONEST, **arguments)


@pytest.fixture(scope="module")
def cone() -> Result:
    """Ten seconds at the instants of the reference."""
    return run(model("spinning_cone"), reference("CONE_pendulum_g981").t, 1e-2, "dop853")


def test_cone_swings_as_cardan_angles_say(cone: Result) -> None:
    """Order 8 with a hundredth of the period: what is left is round-off, grown over ten seconds."""
    expected = reference("CONE_pendulum_g981")
    assert worst(cone["centre"], expected.stack("x", "y", "z")) < 1e-9
    assert worst(cone["omega"], expected.stack("wx", "wy", "wz")) < 2e-8


def test_invariants_of_the_cone(cone: Result) -> None:
    """Energy, spin and the vertical angular momentum about the tip; the height has turning points.

    They are z = 0 and z = 0.3 u with 1 - u^2 + k u = 0 and k = (I3 w)^2 / (2 I1 m g l).
    """
    across, along = 0.0375 + 4 * 0.3**2, 0.0270
    axis, omega = cone["axis"], cone["omega"]
    spin = np.sum(axis * omega, axis=1)
    # The axis is perpendicular to its rate, so the momentum is I1 a x a' + I3 s a.
    momentum = across * np.cross(axis, np.cross(omega, axis)) + along * spin[:, None] * axis
    assert worst(spin, np.full(len(spin), -5.0)) < 1e-9
    assert np.abs(momentum[:, 2]).max() < 1e-9
    assert worst(cone["energy.kinetic"] + cone["energy.potential"], np.full(101, 0.3375)) < 1e-9
    k = (along * 5) ** 2 / (2 * across * 4 * 9.81 * 0.3)
    lowest = 0.3 * (k - np.sqrt(k**2 + 4)) / 2
    assert lowest == pytest.approx(-0.2997081, abs=1e-7)
    heights = cone["centre.z"]
    assert heights.max() < 1e-9 and heights.min() > lowest - 1e-9
    fine = run(model("spinning_cone"), np.linspace(0, 1.5, 1501), 1e-3, "dop853")["centre.z"]
    # An instant is at most half a millisecond from the turn: z'' (dt)^2/2 = 40 * 1.25e-7.
    assert 0 <= fine.min() - lowest < 5e-6


@pytest.fixture(scope="module")
def motor() -> System:
    """The four-bar as it is printed."""
    return model("rssr_motor")


@pytest.mark.slow
def test_printed_data_are_corrected(motor: System) -> None:
    """Positions by 6e-5 m, and velocities that nobody gave.

    Spin of the coupler about its own line is what no joint asks for: it stays away.
    """
    state = assemble(motor)
    names = motor.names.coordinates
    moved = dict(zip(names, state.q - motor.q0, strict=True))
    assert 1e-5 < max(map(abs, moved.values())) < 1e-4
    result = simulate(motor, (0, 1e-3), h=1e-3)
    velocity = [result[f"coupler.{c}.dot"][0] for c in "xyz"]
    np.testing.assert_allclose(velocity, (6.2833, -12.5665, 2e-4), atol=6e-5)
    np.testing.assert_allclose(result["coupler_omega"][0], (6e-5, 1.5325, -1.2260), atol=6e-5)
    found = diagnose(motor, 0.0, state.q)
    assert (found.dof, found.redundant) == (1, 0)
    assert found.n_phi - 3 == 17  # three norms of quaternions


def after_one_turn(motor: System, method: str, h: float, **choices: object) -> Result:
    t = reference("RSSR_kinematics").t
    result = simulate(motor, (0, 1), method=method, h=h, t_eval=t, progress=False, **choices)
    assert result.success, result.message
    return result


SCHEMES = [
    ("newmark", {}, 1e-8),
    ("rk4", {"formulation": "alf1"}, 1e-8),
    ("newmark", {"formulation": "alf3"}, 1e-8),
]


@pytest.mark.slow
@pytest.mark.parametrize(("method", "choices", "tolerance"), SCHEMES)
def test_follower_of_the_motor(
    motor: System, method: str, choices: dict[str, object], tolerance: float
) -> None:
    """Positions follow from the driver alone, so any step size has them.

    Augmented Lagrangians end their iterations at violations that leave the tolerance here.
    """
    expected = reference("RSSR_kinematics")
    result = after_one_turn(motor, method, 2e-3, **choices)
    assert worst(result["P5"], expected.stack("x5", "y5", "z5")) < tolerance
    heights = dict(zip(np.round(result.t, 2), result["P5.z"], strict=True))
    table = {0.0: 7.0, 0.25: 4.702371, 0.5: 2.333495, 0.55: 2.266349, 0.75: 5.568026, 0.9: 6.933566}
    assert [heights[t] for t in table] == pytest.approx(list(table.values()), abs=1e-6)
    torque = dict(zip(np.round(result.t, 2), result["motor_torque.x"], strict=True))
    # The reaction has the error of the accelerations, of second order in the step.
    table = {0.0: 181.1, 0.25: -79.9, 0.5: -4.25, 0.75: 752.3}
    assert [torque[t] for t in table] == pytest.approx(list(table.values()), abs=0.2)


@pytest.mark.slow
def test_masses_do_not_matter_where_everything_is_driven(motor: System) -> None:
    changed = motor.copy()
    changed.set(coupler_mass=15.0, stiffness=0.0)
    heavy = after_one_turn(changed, "newmark", 5e-3)
    light = after_one_turn(motor, "newmark", 5e-3)
    assert worst(heavy["P5"], light["P5"]) < 1e-9
    assert np.abs(heavy["motor_torque.x"] - light["motor_torque.x"]).max() > 100


def accelerations(motor: System, q: FloatArray, v: FloatArray, **choices: object) -> FloatArray:
    """Of centres, and angular ones in body axes, at t = 0.3 s."""
    there = motor.copy()
    there.q0[:], there.v0[:] = q, v
    result = simulate(there, (0.3, 0.301), method="rk4", h=1e-3, **choices)
    a = result.a[0].reshape(3, 7)
    q = result.q[0].reshape(3, 7)
    s, x, y, z = q[:, 3:].T
    rows = np.array([[-x, s, z, -y], [-y, -z, s, x], [-z, y, -x, s]])
    turning = 2 * np.einsum("ikb,bk->bi", rows, a[:, 3:])
    return np.concatenate([a[:, :3], turning], axis=1).ravel()


@pytest.mark.slow
def test_error_of_penalties(motor: System) -> None:
    """It falls with the penalty, as published: 5.2e-6 at 1e7; iterations take it away."""
    begin = run(motor, np.array([0.0, 0.3]), 1e-3)
    place = begin.q[-1], begin.v[-1]
    exact = accelerations(motor, *place)

    def error(**choices: object) -> float:
        found = accelerations(motor, *place, **choices)
        return float(np.linalg.norm(found - exact) / np.linalg.norm(exact))

    published = {1e5: 5.2e-4, 1e6: 5.2e-5, 1e7: 5.2e-6}
    found = [error(formulation="penalty", penalty=alpha) for alpha in published]
    assert found == pytest.approx(list(published.values()), rel=0.1)
    assert error(formulation="alf1", penalty=1e7) < 3.5e-7


@pytest.fixture(scope="module")
def tricycle() -> Result:
    """Four seconds; steps meet the instant where the steering ends."""
    return run(model("tricycle"), np.linspace(0, 4, 41), 1e-2, "dop853")


@pytest.mark.slow
def test_ride_of_the_tricycle(tricycle: Result) -> None:
    """Speed and place of the front, yaw of frame and fork in degrees, as printed."""
    table = np.array(
        [
            (0.2, 0.37136, 0.43702, -0.00044, -0.1204, -5.2645, 1.857),
            (0.4, 0.79238, 0.54766, -0.01018, -2.3495, -23.4195, 3.962),
            (0.6, 1.30730, 0.72991, -0.05704, -10.2130, -40.2130, 6.537),
            (0.8, 1.67260, 0.97759, -0.16887, -21.2960, -42.3659, 8.363),
            (1.0, 1.96663, 1.28717, -0.33968, -27.7449, -32.8890, 9.833),
            (1.2, 2.33024, 1.66307, -0.54641, -28.5913, -28.5913, 11.651),
            (2.0, 3.81173, 3.82027, -1.72212, -28.5913, -28.5913, 19.059),
            (4.0, 7.51543, 13.76614, -7.14283, -28.5913, -28.5913, 37.577),
        ]
    )
    rows = [round(10 * t) for t in table[:, 0]]
    yaw = np.degrees(np.column_stack([tricycle["yaw.1"], tricycle["fork_yaw.1"]]))
    found = np.column_stack(
        [tricycle["speed"], tricycle["frame_at.x"], tricycle["frame_at.y"], yaw]
    )[rows]
    digits = np.array([1e-5, 1e-5, 1e-5, 1e-4, 1e-4])
    assert (np.abs(found - table[:, 1:6]) < digits).all()
    # The axle has the yaw of the fork, and the wheel rolls: v/R about it.
    axle = np.column_stack([-np.sin(tricycle["fork_yaw.1"]), np.cos(tricycle["fork_yaw.1"])])
    spin = np.sum(tricycle["front_omega"][:, :2] * axle, axis=1)
    assert worst(spin[rows], table[:, 6]) < 1e-3
    assert worst(spin, tricycle["speed"] / 0.2) < 1e-9


@pytest.mark.slow
def test_straight_on_it_gains_speed_by_its_torque(tricycle: Result) -> None:
    """The force 20/0.2 N moves 53.5 kg and what turns; rear wheels have no grip to turn by."""
    slope = np.diff(tricycle["speed"][12:]) / 0.1
    assert worst(slope, np.full(28, 100 / 54)) < 1e-9
    assert np.abs(tricycle["frame_at.z"] - 0.2).max() < 1e-12


@pytest.mark.slow
def test_wheels_that_hold_everything_are_refused(tmp_path: Path) -> None:
    """Both rear wheels say that the axle does not slide along itself."""
    choices = ["-o", "wheels=xyz", "--layout", "loop", "--backend", SOONEST]
    target = ["--npz", str(tmp_path / "r.npz")]
    done = CliRunner().invoke(app, ["run", "tricycle", *choices, *target])
    assert done.exit_code == 2 and not list(tmp_path.iterdir())
    said = " ".join(done.stderr.split())
    assert "'left_tyre', 'right_tyre' hold the same slip together" in said
    assert "rank 34 of 35" in said and "grip='sideways'" in said


@pytest.mark.representatives(id=["spinning_cone-3-3", "five_body_chain-25-5"])
@pytest.mark.parametrize(
    ("name", "rows", "freedoms"),
    [
        ("spinning_cone", 3, 3),
        ("rssr_motor", 17, 1),
        ("tricycle", 27, 3),
        ("five_body_chain", 25, 5),
    ],
)
def test_counts(name: str, rows: int, freedoms: int) -> None:
    """Six for each body minus equations of joints; nothing is redundant."""
    mechanism = model(name)
    found = mobility(mechanism)
    bodies = mechanism.n_q // 7
    assert found.here.n_phi - bodies == rows
    assert found.count == found.instantaneous == 6 * bodies - rows == freedoms
    assert not found.here.redundant
