"""Motions from constraints alone against closed forms, and the forces that they need."""

import numpy as np
import pytest
import sympy

from mbdgen import Model, inverse_dynamics, kinematics, load, simulate
from mbdgen.errors import OptionError
from mbdgen.mechanics.singular import BIFURCATION, DEAD_POINT
from mbdgen.runtime.system.system import System
from tests.mechanisms import four_bar
from tests.reference import load as load_reference

R, L, SPEED, ANGLE = 0.3, 0.6, 3.0, 0.3


@pytest.fixture(scope="module")
def slider_crank() -> System:
    return load("slider_crank", layout="loop", angle=ANGLE)


def turning(t: float) -> tuple[float, float, float]:
    return ANGLE + SPEED * t, SPEED, 0.0


def test_slider_crank(slider_crank: System) -> None:
    t = np.linspace(0, 2.2, 45)
    found = kinematics(slider_crank, t, {"crank.theta": turning})
    s, c = R * np.sin(ANGLE + SPEED * t), R * np.cos(ANGLE + SPEED * t)
    root = np.sqrt(L**2 - s**2)
    velocity = -SPEED * s - SPEED * s * c / root
    acceleration = -(SPEED**2) * (c + (c**2 - s**2) / root + (s * c) ** 2 / root**3)
    # Everything but rounding is exact; accelerations are as large as 4.
    np.testing.assert_allclose(found["slider"], c + root, atol=1e-12)
    np.testing.assert_allclose(found["slider_velocity"], velocity, atol=1e-11)
    np.testing.assert_allclose(found["slider_acceleration"], acceleration, atol=1e-10)
    assert found.motion.success and not found.singular
    assert found.motion.info.dof == 0


@pytest.mark.slow
def test_rssr_over_one_turn() -> None:
    reference = load_reference("RSSR_kinematics")
    found = kinematics(load("rssr_four_bar", layout="loop"), reference.t)
    for ours, theirs, tolerance in (
        ("psi", "psi", 1e-10),
        ("psi_rate", "psi_d", 1e-8),  # rates reach 5 rad/s, and 1e-10 in angles is 1e-9 in them
        ("P5.x", "x5", 1e-10),
        ("P5.y", "y5", 1e-10),
        ("P5.z", "z5", 1e-10),
    ):
        np.testing.assert_allclose(found[ours], reference[theirs], atol=tolerance, err_msg=ours)


@pytest.mark.slow
def test_idle_freedom_is_allowed_on_demand() -> None:
    system = load("rssr_four_bar", coupler="ball", layout="loop")
    with pytest.raises(OptionError, match=r"mobility 2 and 1 driver: 1 missing"):
        kinematics(system, [0.0, 0.1])
    reference = load_reference("RSSR_kinematics").until(0.2)
    found = kinematics(system, reference.t, least=True)
    np.testing.assert_allclose(found["psi"], reference["psi"], atol=1e-10)
    with pytest.raises(OptionError, match="Reactions are not determined"):
        kinematics(system, [0.0, 0.1], least=True, reactions=True)


def test_parallelogram_keeps_its_branch_through_change_points() -> None:
    system = load(four_bar((1.0, 2.0, 1.0), base=2.0, angles=(1.0, 0.0, 1.0)), layout="loop")
    found = kinematics(system, np.linspace(0, 6, 61), {"AB.theta": lambda t: (1 + t, 1.0, 0.0)})
    np.testing.assert_allclose(found["DC"], found["AB"], atol=1e-9)
    assert [one.kind for one in found.singular] == [BIFURCATION, BIFURCATION]
    # A dip is V-shaped, but positions near it are exact to the root of the tolerance only.
    times = [one.t for one in found.singular]
    np.testing.assert_allclose(times, (np.pi - 1, 2 * np.pi - 1), atol=1e-6)


@pytest.mark.slow
def test_slider_cannot_be_driven_beyond_its_dead_point(slider_crank: System) -> None:
    place = float(R * np.cos(ANGLE) + np.sqrt(L**2 - (R * np.sin(ANGLE)) ** 2))
    pushed = {"slider.x": lambda t: (place + 0.1 * t, 0.1, 0.0)}
    found = kinematics(slider_crank, np.linspace(0, 1, 21), pushed)
    assert not found.motion.success and "cannot be driven beyond" in found.motion.message
    assert found.singular[-1].kind == DEAD_POINT
    assert found.singular[-1].t == pytest.approx((R + L - place) / 0.1, abs=1e-6)
    assert found.motion.t[-1] <= found.singular[-1].t


@pytest.mark.parametrize(
    ("prescribed", "message"),
    [
        ({}, "mobility 1 and 0 drivers: 1 missing"),
        ({"crank.theta": turning, "slider.x": lambda t: (0.88, 0.0, 0.0)}, "1 too many"),
        ({"crank.angle": turning}, "no coordinate 'crank.angle'"),
        ({"crank.theta": lambda t: 3.0 * t}, "returns value, rate and second rate"),
    ],
)
def test_mistakes(slider_crank: System, prescribed: dict[str, object], message: str) -> None:
    with pytest.raises(Exception, match=message):
        kinematics(slider_crank, [0.0, 0.1], prescribed)


def test_found_torque_makes_the_motion() -> None:
    """The moment on a double pendulum's rods, as polynomials of the time, drives a simulation."""

    def laws(t: float) -> tuple[tuple[float, float, float], tuple[float, float, float]]:
        s, c = np.sin(2 * t), np.cos(2 * t)
        return (0.4 * s, 0.8 * c, -1.6 * s), (0.3 - 0.3 * c, 0.6 * s, 1.2 * c)

    prescribed = {"rod1.theta": lambda t: laws(t)[0], "rod2.theta": lambda t: laws(t)[1]}
    passive = load("double_pendulum", layout="loop")
    end = 0.5
    nodes = end * (0.5 - 0.5 * np.cos(np.pi * (np.arange(21) + 0.5) / 21))
    found = inverse_dynamics(passive, nodes, prescribed)

    m = Model("driven_double_pendulum", gravity=(0, -9.81, 0), coordinates="planar")
    rods = []
    for k, name in enumerate(("rod1", "rod2")):
        body = m.body(
            name, 1.0, (0, 1 / 12, 1 / 12), centre_of_mass=(0.5, 0), position=(float(k), 0),
            angular_velocity=laws(0.0)[k][1], velocity=(0, 0.8 * k),
        )  # fmt: skip
        fit = np.polynomial.Polynomial.fit(nodes, found[f"{name}.theta"], 20, domain=[0, end])
        x = 2 * m.t / end - 1
        moment = sympy.Float(0)
        for coefficient in fit.coef[::-1]:
            moment = moment * x + sympy.Float(coefficient)
        m.torque(f"drive{k}", body.at(), torque=(0, 0, moment))
        rods.append(body)
    m.revolute("pin1", m.ground.at(), rods[0].at())
    m.revolute("pin2", rods[0].at(1), rods[1].at())
    motion = simulate(load(m, layout="loop"), (0, end), h=5e-3, method="dop853")
    # The torques are polynomials of degree 20, exact to about 1e-12; dop853 is of order 8.
    for k, name in enumerate(("rod1", "rod2")):
        wanted = [laws(t)[k][0] for t in motion.t]
        np.testing.assert_allclose(motion[f"{name}.theta"], wanted, atol=1e-9)


@pytest.mark.slow
def test_reactions_are_those_of_the_simulation() -> None:
    system = load("rssr_four_bar", layout="loop")
    found = kinematics(system, np.linspace(0, 0.25, 6), reactions=True)
    simulated = simulate(system, (0, 0.25), h=1e-3, t_eval=found.motion.t)
    # Positions, velocities and accelerations are given; simulated ones differ by h^2.
    wanted = simulated["motor_torque.x"]
    found_torque = found["motor_torque.x"]
    np.testing.assert_allclose(found_torque, wanted, atol=2e-3 * np.abs(wanted).max())
    # Published for a coupler that may spin: its 0.02 kg m2 are a thousandth of the whole.
    np.testing.assert_allclose(found_torque[[0, -1]], (181.1, -79.9), rtol=2e-3)
