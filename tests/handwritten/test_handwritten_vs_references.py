"""The hand-written solvers agree with the stored references, which were made by other means.

Tolerances are the accuracy that double precision reaches on each problem, stated with each test.
"""

import numpy as np
import pytest

from tests.handwritten import (
    andrews,
    andrews_motion,
    double_pendulum,
    four_bars,
    heavy_top,
    pendulum,
    slider_crank,
    torque_free,
)
from tests.handwritten.ode import Motion
from tests.reference import Reference, load


def close(actual: np.ndarray, expected: np.ndarray, tolerance: float, what: str = "") -> None:
    """Absolute agreement of two histories, with the worst value in the message."""
    error = float(np.max(np.abs(np.asarray(actual) - expected)))
    assert error <= tolerance, f"{what} differs by {error:.2e} > {tolerance:.0e}"


def test_pendulum_against_elliptic_functions() -> None:
    ref, par = load("A01"), pendulum.Pendulum()
    motion = pendulum.solve(par, ref.t, a0=-np.pi)
    close(pendulum.centre(par, motion.q), ref.stack("x", "y"), 1e-11, "position")
    velocity = pendulum.centre_velocity(par, motion.q, motion.v)
    close(velocity, ref.stack("vx", "vy"), 1e-10, "velocity")
    close(motion.q[:, 0], -np.pi / 2 - ref["theta"], 1e-11, "angle")
    close(pendulum.tension(par, motion.q, motion.v), ref["rod_tension"], 1e-10, "tension")
    close(pendulum.energy(par, motion.q, motion.v), np.zeros(101), 1e-11, "energy")


def test_compound_pendulum_is_a_point_pendulum_of_the_reduced_length() -> None:
    t = np.linspace(0.0, 5.0, 11)
    rod = pendulum.solve(pendulum.Pendulum.rod(m=2.5, length=1.2), t, a0=0.3)
    point = pendulum.solve(pendulum.Pendulum(m=0.7, l=0.8), t, a0=0.3)
    close(rod.q, point.q, 1e-11, "angle")


@pytest.mark.parametrize(
    ("case", "loops", "speed"), [("A02", 2, 1.0), ("FB1", 1, -1.0)], ids=["A02", "FB1"]
)
def test_rows_of_square_four_bars(case: str, loops: int, speed: float) -> None:
    ref, par = load(case), four_bars.FourBars(n=loops)
    motion = four_bars.solve(par, ref.t, w0=speed)
    close(motion.q[:, 0], ref["angle"], 1e-10, "angle")
    close(motion.v[:, 0], ref["omega"], 1e-9, "rate")
    close(four_bars.top(par, motion.q), ref.stack("x1", "y1"), 1e-10, "top")
    velocity = four_bars.top_velocity(par, motion.q, motion.v)
    close(velocity, ref.stack("vx1", "vy1"), 1e-9, "velocity of the top")
    close(four_bars.energy(par, motion.q, motion.v), ref["E"], 1e-10, "energy")


def test_parallelogram_with_torque() -> None:
    ref = load("FB2")
    par = four_bars.FourBars(n=1, mc=2.0, D=2.0, tau=-25.0)
    motion = four_bars.solve(par, ref.t, w0=0.0)
    close(np.pi / 2 - motion.q[:, 0], ref["theta"], 1e-10, "angle")
    close(-motion.v[:, 0], ref["omega"], 1e-9, "rate")
    acceleration = -four_bars.acceleration(par, motion.q, motion.v)[:, 0]
    close(acceleration, ref["alpha"], 1e-9, "acceleration")
    close(four_bars.energy(par, motion.q, motion.v), ref["E"], 2e-9, "energy")


@pytest.mark.parametrize(
    ("case", "par", "speed"),
    [
        ("FB4", four_bars.FourBars(n=1, tau=1.0), 0.0),
        ("FB5", four_bars.FourBars(n=1, k=100.0, l0=np.sqrt(2.0)), 1.0),
        ("FB6", four_bars.FourBars(n=1, k=100.0, l0=np.sqrt(2.0), c=5.0), 1.0),
    ],
    ids=["FB4", "FB5", "FB6"],
)
def test_square_four_bar_with_loads(case: str, par: four_bars.FourBars, speed: float) -> None:
    ref = load(case)
    motion = four_bars.solve(par, ref.t, w0=speed)
    close(motion.q[:, 0], ref["theta"], 1e-11, "angle")
    close(motion.v[:, 0], ref["omega"], 1e-10, "rate")
    acceleration = four_bars.acceleration(par, motion.q, motion.v)[:, 0]
    close(acceleration, ref["alpha"], 1e-9, "acceleration")
    close(four_bars.top(par, motion.q, bar=1), ref.stack("xC", "yC"), 1e-11, "pin C")
    close(four_bars.energy(par, motion.q, motion.v), ref["E"], 1e-10, "energy")


@pytest.mark.representatives(id="SC1")
@pytest.mark.parametrize(
    ("case", "par"),
    [
        ("SC1", slider_crank.SliderCrank()),
        ("SC2", slider_crank.SliderCrank(J1=1.01 / 12, J2=1.01 / 12)),
    ],
    ids=["SC1", "SC2"],
)
def test_equal_slider_crank_through_singular_positions(
    case: str, par: slider_crank.SliderCrank
) -> None:
    ref = load(case)
    motion = slider_crank.solve(par, ref.t)
    _compare_slider_crank(par, motion, ref, "x3", "vx3")


def test_slider_crank_with_torque() -> None:
    ref = load("SC3")
    par = slider_crank.SliderCrank(r=0.3, l=0.6, m3=1.0, J1=0.3**2 / 12, J2=0.6**2 / 12, tau=0.2)
    motion = slider_crank.solve(par, ref.t, a0=np.pi / 2, w0=0.0)
    _compare_slider_crank(par, motion, ref, "x", "vx")
    close(slider_crank.geometry(par, motion.q[:, 0]).b[0], ref["rod_angle"], 1e-10, "rod angle")


def _compare_slider_crank(
    par: slider_crank.SliderCrank, motion: Motion, ref: Reference, x: str, vx: str
) -> None:
    close(motion.q[:, 0], ref["theta"], 2e-10, "angle")
    close(motion.v[:, 0], ref["omega"], 2e-9, "rate")
    acceleration = slider_crank.acceleration(par, motion.q, motion.v)[:, 0]
    close(acceleration, ref["alpha"], 1e-7, "acceleration")
    position, velocity = slider_crank.slider(par, motion.q, motion.v)
    close(position, ref[x], 2e-10, "slider")
    close(velocity, ref[vx], 2e-9, "slider speed")
    close(slider_crank.energy(par, motion.q, motion.v), ref["E"], 1e-10, "energy")


@pytest.mark.representatives(id="A03_andrews")
@pytest.mark.parametrize("case", ["A03_andrews", "A03_andrews_beta0_library"])
def test_andrews_squeezer(case: str) -> None:
    ref, par = load(case), andrews.Andrews()
    names = ("beta", "Theta", "gamma", "Phi", "delta", "Omega", "epsilon")
    angles = ref.stack(*names)
    motion = andrews_motion.solve(par, ref.t, p0=angles[0])
    close(motion.q, angles, 1e-10, "angles")
    rates = ref.stack(*(f"{name}_d" for name in names))
    close(motion.v, rates, 5e-8, "rates (of size 1e3)")
    close(andrews_motion.crank_tip(par, motion.q), ref.stack("xF", "yF"), 1e-12, "F")
    close(andrews_motion.coupler_tip(par, motion.q), ref.stack("xE", "yE"), 1e-12, "E")
    states = list(zip(motion.q, motion.v, strict=True))
    beta_dd = [andrews_motion.accelerations(par, p, v)[0][0] for p, v in states]
    close(np.array(beta_dd), ref["beta_dd"], 5e-5, "crank acceleration (of size 1e6)")
    total = np.array([andrews_motion.energy(par, p, v) for p, v in states])
    close(total - par.mom * (motion.q[:, 0] - motion.q[0, 0]), ref["E"][0], 1e-11, "energy balance")


def test_andrews_published_state_at_thirty_milliseconds() -> None:
    motion = andrews_motion.solve(andrews.Andrews(), np.array([0.0, 0.015, 0.03]))
    published = (15.81077119629904, -15.75637105984298, 0.04082224013073101,
                 -0.5347301163226948, 0.5244099658805304, 0.5347301163226948,
                 1.048080741042263)  # fmt: skip
    close(motion.q[-1], np.array(published), 5e-9, "published angles")


def test_heavy_symmetric_top() -> None:
    ref, par = load("TOP2").until(2.0), heavy_top.HeavyTop()
    motion = heavy_top.solve(par, ref.t)
    # The spin angle itself grows to 200 rad, so its last digits are roundoff.
    close(motion.q, ref.stack("precession", "nutation", "spin"), 2e-11, "angles")
    close(motion.v, ref.stack("prec_rate", "nut_rate", "spin_rate"), 1e-10, "rates")
    close(heavy_top.centre(par, motion.q), ref.stack("x", "y", "z"), 1e-11, "centre")
    close(heavy_top.energy(par, motion.q, motion.v), ref["E"], 1e-10, "energy")
    momenta = heavy_top.momenta(par, motion.q, motion.v)
    close(momenta, momenta[0], 1e-11, "conserved momenta")


def test_heavy_top_as_a_rigid_body_about_a_fixed_point() -> None:
    """Euler angles and quaternions are independent derivations of the same motion."""
    par, t = heavy_top.HeavyTop(), np.linspace(0.0, 0.5, 6)
    body = torque_free.FreeBody(np.diag([par.A, par.A, par.C]))
    arm, weight = np.array([0.0, 0.0, par.l]), np.array([0.0, 0.0, -par.m * par.g])
    start = (np.cos(0.25), np.sin(0.25), 0.0, 0.0)
    free = torque_free.solve(
        body, t, (0.0, 0.0, 100.0), start, lambda _, R: np.cross(arm, R.T @ weight)
    )
    euler = heavy_top.solve(par, t)
    close(torque_free.rotation(free.q) @ arm, heavy_top.centre(par, euler.q), 1e-11, "centre")
    close(free.v, heavy_top.body_rates(euler.q, euler.v), 1e-9, "body rates")


@pytest.mark.slow
def test_top_with_gaussian_side_force() -> None:
    ref = load("TOP1").until(1.0)
    m, arm = 0.017355017, np.array([0.0, 0.0, 0.03993])
    transverse = 3.256544e-6 + m * arm[2] ** 2
    body = torque_free.FreeBody(np.diag([transverse, transverse, 1.99486e-6]))

    def moment(t: float, R: np.ndarray) -> np.ndarray:
        side = 0.01 * np.exp(-((t - 0.6) ** 2) / (2 * 0.1**2))
        return np.cross(arm, R.T @ np.array([side, 0.0, -m * 9.81]))

    motion = torque_free.solve(body, ref.t, (0.0, 0.0, 523.6), moment=moment)
    rotation = torque_free.rotation(motion.q)
    # The spin of 524 rad/s multiplies any error of the attitude.
    close(rotation @ arm, ref.stack("x", "y", "z"), 1e-10, "centre")
    omega = np.einsum("tij,tj->ti", rotation, motion.v)
    close(omega, ref.stack("wx", "wy", "wz"), 1e-8, "angular velocity")


def test_torque_free_asymmetric_body() -> None:
    ref, body = load("DZH"), torque_free.FreeBody()
    motion = torque_free.solve(body, ref.t)
    names = [f"R{row}{column}" for row in "xyz" for column in "123"]
    errors = np.abs(motion.v - ref.stack("w1", "w2", "w3"))
    # Close to the separatrix each flip multiplies the roundoff by ten to a hundred.
    assert np.max(errors[ref.t <= 10.0]) <= 1e-11
    assert np.max(errors) <= 1e-9
    rotation = torque_free.rotation(motion.q).reshape(-1, 9)
    close(rotation, ref.stack(*names), 1e-9, "rotation matrix")
    constants = ref.meta["constants"]
    close(torque_free.energy(body, motion.v), constants["T[J]"], 1e-11, "energy")
    momentum = torque_free.momentum(body, motion.q, motion.v)
    close(momentum, np.array(constants["L_global[kg m2/s]"]), 1e-11, "angular momentum")


@pytest.mark.representatives(id=["DP1", "DP3"])
@pytest.mark.parametrize(
    ("case", "point", "g", "relaxed", "start"),
    [
        ("DP1", True, 9.8, (0.0, -np.pi / 12), (-np.pi / 2, -np.pi / 2)),
        ("DP2", False, 9.8, (0.0, -np.pi / 12), (-np.pi / 2, -np.pi / 2)),
        ("DP3", False, 9.8, (0.0, -np.pi / 12), (-np.pi / 2, -np.pi * 7 / 12)),
        ("DP4", False, 9.81, (-np.pi / 2, 0.0), (0.0, -np.pi / 12)),
    ],
    ids=["DP1", "DP2", "DP3", "DP4"],
)
def test_double_pendulum_with_stiff_joints(
    case: str,
    point: bool,
    g: float,
    relaxed: tuple[float, float],
    start: tuple[float, float],
) -> None:
    ref = load(case).until(1.0)
    plain = (double_pendulum.points if point else double_pendulum.rods)(3.0, 2.0, 0.3, 3.0, g)
    springs = {"k1": 400.0, "d1": 15.0, "k2": 3e5, "d2": 5e4}
    par = double_pendulum.DoublePendulum(
        **{**plain.__dict__, **springs, "r1": relaxed[0], "r2": relaxed[1]}
    )
    motion = double_pendulum.solve(par, ref.t, start, method="Radau", rtol=1e-9)
    close(motion.q, ref.stack("theta1", "theta2"), 1e-9, "angles")
    close(motion.v, ref.stack("w1", "w2"), 1e-8, "rates")
    energy = double_pendulum.energy(par, motion.q, motion.v)
    close(energy[1:] / ref["E"][0], ref["E"][1:] / ref["E"][0], 1e-11, "energy")


def test_double_pendulum_conserves_energy_and_meets_its_limits() -> None:
    """Without springs there is no reference, so two limits that are known must come out."""
    t = np.linspace(0.0, 3.0, 7)
    par = double_pendulum.rods(m1=1.3, L1=0.9, m2=0.7, L2=1.1)
    motion = double_pendulum.solve(par, t, (0.4, -0.2), (0.5, -1.0))
    energy = double_pendulum.energy(par, motion.q, motion.v)
    close(energy, energy[0], 1e-11, "energy")
    # A massless second rod leaves a compound pendulum.
    light = double_pendulum.rods(m1=1.3, L1=0.9, m2=1e-14, L2=1.1)
    alone = pendulum.solve(pendulum.Pendulum.rod(1.3, 0.9), t, a0=0.4)
    both = double_pendulum.solve(light, t, (0.4, 0.4))
    close(both.q[:, 0], alone.q[:, 0], 1e-10, "angle of the heavy rod")
