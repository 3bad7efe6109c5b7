"""Generated systems against solvers written by hand: kernels at random states, and motions."""

import numpy as np
import pytest

from tests.handwritten import (
    andrews,
    andrews_motion,
    double_pendulum,
    four_bars,
    heavy_top,
    pendulum,
)
from tests.physics.minimal import acceleration, convective, jacobian, reduced
from tests.physics.running import columns, run, system, worst

SAMPLES = 5


def random(seed: int) -> np.random.Generator:
    return np.random.default_rng(seed)


def close(actual: np.ndarray, expected: np.ndarray, tolerance: float) -> None:
    size = 1.0 + float(np.max(np.abs(expected)))
    assert worst(actual, expected) <= tolerance * size


def about_z(angle: np.ndarray) -> np.ndarray:
    zero = 0.0 * angle
    return np.array([np.cos(angle / 2), zero, zero, np.sin(angle / 2)])


def test_kernels_of_the_pendulum() -> None:
    par, mechanism = pendulum.Pendulum(), system("pendulum")

    def pose(p: np.ndarray) -> np.ndarray:
        x, y = np.cos(p[0]), np.sin(p[0])
        return np.array([x, y, 0.0 * x, *about_z(p[0] + np.pi)])

    for p, v in random(1).normal(size=(SAMPLES, 2, 1)):
        a, expected = acceleration(mechanism, pose, p, v)
        close(a, expected(pendulum.acceleration(par, p, v)), 1e-10)


def test_kernels_of_the_double_pendulum() -> None:
    values = {"L1": 0.8, "L2": 1.3, "m1": 1.2, "m2": 0.7}
    par, mechanism = double_pendulum.rods(1.2, 0.8, 0.7, 1.3), system("double_pendulum", **values)

    def pose(p: np.ndarray) -> np.ndarray:
        first, second = double_pendulum.centres(par, p)
        return np.array([*first, p[0], *second, p[1]])

    for p, v in random(2).normal(size=(SAMPLES, 2, 2)):
        mass, force = reduced(mechanism, pose, p, v)
        close(mass, double_pendulum.mass(par, p), 1e-13)
        close(force, double_pendulum.force(par, p, v), 1e-10)
        a, expected = acceleration(mechanism, pose, p, v)
        close(a, expected(double_pendulum.acceleration(par, p, v)), 1e-10)


def test_kernels_of_two_four_bars() -> None:
    par, mechanism = four_bars.FourBars(n=2), system("n_four_bar", n=2)

    def pose(p: np.ndarray) -> np.ndarray:
        s, c = np.sin(p[0]), np.cos(p[0])
        bars = [x for i in range(3) for x in (i + s / 2, c / 2, np.pi / 2 - p[0])]
        couplers = [x for i in range(2) for x in (i + 0.5 + s, c, 0.0 * s)]
        return np.array(bars + couplers)

    for p, v in random(3).normal(size=(SAMPLES, 2, 1)):
        mass, force = reduced(mechanism, pose, p, v)
        close(mass[0, 0], four_bars.inertia(par), 1e-13)
        close(force / mass[0, 0], four_bars.acceleration(par, p, v), 1e-10)
        a, expected = acceleration(mechanism, pose, p, v)
        close(a, expected(four_bars.acceleration(par, p, v)), 1e-9)


def squeezer_pose(p: np.ndarray) -> np.ndarray:
    par = andrews.Andrews()
    centres, angles = andrews_motion.centres(par, p), andrews_motion.angles(p)
    return np.column_stack([centres, angles]).ravel()


def test_kernels_of_the_squeezer() -> None:
    """Mass matrix and force of the seven-angle system, also where its loops are open."""
    par, mechanism = andrews.Andrews(), system("andrews")
    n_q, n_lam = mechanism.n_q, mechanism.n_lam
    for p, v in random(4).normal(size=(SAMPLES, 2, 7)):
        J, q = jacobian(squeezer_pose, p), np.real(squeezer_pose(p + 0j))
        rest = np.zeros(n_q)
        full = mechanism.matrix(0.0, q, J @ v, rest, np.zeros(n_lam), (0.0, 0.0, 1.0)).toarray()
        mass = full[:n_q, :n_q]
        force = -mechanism.residual(0.0, q, J @ v, rest, np.zeros(n_lam))[:n_q]
        close(1e5 * J.T @ mass @ J, 1e5 * andrews.mass(par, p), 1e-12)
        generated = J.T @ (force - mass @ convective(squeezer_pose, p, v))
        close(generated, andrews.force(par, p, v), 1e-11)


def test_accelerations_of_the_squeezer() -> None:
    """Consistent states along a motion, because the loops must be closed."""
    par, mechanism = andrews.Andrews(), system("andrews")
    motion = andrews_motion.solve(par, np.linspace(0.0, 0.02, 5))
    for p, v in zip(motion.q, motion.v, strict=True):
        a, expected = acceleration(mechanism, squeezer_pose, p, v / 1e3)
        close(a, expected(andrews_motion.accelerations(par, p, v / 1e3)[0]), 1e-8)


def test_kernels_of_the_heavy_top() -> None:
    par, mechanism = heavy_top.HeavyTop(), system("spinning_top")

    def pose(p: np.ndarray) -> np.ndarray:
        # Rz(precession) Rx(nutation) Rz(spin) as a quaternion
        plus, minus, half = (p[0] + p[2]) / 2, (p[0] - p[2]) / 2, p[1] / 2
        c, s = np.cos(half), np.sin(half)
        turn = (c * np.cos(plus), s * np.cos(minus), s * np.sin(minus), c * np.sin(plus))
        return np.array([*heavy_top.centre(par, p), *turn])

    for p, v in random(5).uniform(0.3, 1.5, size=(SAMPLES, 2, 3)):
        a, expected = acceleration(mechanism, pose, p, v)
        close(a, expected(heavy_top.acceleration(par, p, v)), 1e-9)


def test_motion_of_a_double_pendulum() -> None:
    """No stored reference has plain joints, and it needs other data than the kernels above."""
    values = {"L1": 0.8, "L2": 1.3, "m1": 1.2, "m2": 0.7, "angle1": 0.4, "angle2": -0.2}
    mechanism = system("double_pendulum", w1=0.5, w2=-1.0, **values)
    par, t = double_pendulum.rods(1.2, 0.8, 0.7, 1.3), np.linspace(0.0, 3.0, 31)
    motion = double_pendulum.solve(par, t, (0.4, -0.2), (0.5, -1.0))
    errors = []
    for h in (2e-3, 1e-3):
        result = run(mechanism, t, h, "rk4")
        errors.append(worst(columns(result, ("angle1", "angle2")), motion.q))
    assert errors[1] <= 1e-8 and errors[1] <= errors[0] / 12, errors
    runs = [run(mechanism, t, h) for h in (1e-3, 5e-4)]
    errors = [worst(columns(result, ("angle1", "angle2")), motion.q) for result in runs]
    assert errors[1] <= 3e-4 and errors[1] == pytest.approx(errors[0] / 4, rel=0.1), errors


def test_motion_of_three_four_bars() -> None:
    """Parameters that no reference has: three loops, other lengths and masses."""
    mechanism = system("n_four_bar", n=3, L=0.7, m=1.4, v0=0.7)
    par, t = four_bars.FourBars(n=3, L=0.7, m=1.4, mc=1.4), np.linspace(0.0, 2.0, 21)
    expected = four_bars.top(par, four_bars.solve(par, t, w0=1.0).q)
    result = run(mechanism, t, 1e-3, "rk4")
    assert worst(columns(result, ("top.x", "top.y")), expected) <= 1e-8


def test_motion_of_a_lighter_top() -> None:
    """A parameter changed at run time gives the motion of the changed hand-written solver."""
    mechanism = system("spinning_top", variant="heavy")
    t = np.linspace(0.0, 0.5, 11)
    mechanism.set(m=1.0, spin=60.0)
    try:
        result = run(mechanism, t, 2.5e-4, "rk4")
    finally:
        mechanism.set(m=1.5, spin=100.0)
    par = heavy_top.HeavyTop(m=1.0, A=0.01 + 0.15**2)
    expected = heavy_top.centre(par, heavy_top.solve(par, t, v0=(0.0, 0.0, 60.0)).q)
    assert worst(result["centre"], expected) <= 1e-9


def test_a_sum_of_angles_is_unwrapped_as_one() -> None:
    """Each pin's angle lies in (-pi, pi]; their sum must not jump when one of them does."""
    t = np.linspace(0.0, 3.0, 61)
    mechanism = system("double_pendulum", w1=9.0, w2=-9.0)
    par = double_pendulum.rods()
    motion = double_pendulum.solve(par, t, (0.0, 0.0), (9.0, -9.0))
    result = run(mechanism, t, 5e-4, "rk4")
    assert np.ptp(motion.q[:, 1]) > 2 * np.pi
    assert worst(columns(result, ("angle1", "angle2")), motion.q) <= 1e-7
