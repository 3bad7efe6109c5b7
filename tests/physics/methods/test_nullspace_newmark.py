"""The null-space Newmark method: stability limits, stiff systems, redundancy, convergence."""

from functools import cache
from math import inf, pi, sin, sqrt
from typing import Any

import numpy as np
import pytest
import sympy

from mbdgen import Model, Result, load, simulate
from mbdgen.errors import OptionError
from mbdgen.runtime.accuracy.run_checks import BROKEN
from mbdgen.runtime.system.system import System
from tests import reference

GRAVITY, RATE = 9.8, 0.1
OMEGA = sqrt(GRAVITY)
"""Of small swings: the pendulum is 1 m long."""


@cache
def pendulum() -> System:
    """A point mass of 1 kg on a rod of 1 m, hanging at rest, turned by a slow torque."""
    m = Model("slow_torque", gravity=(0, -GRAVITY, 0), coordinates="planar")
    torque = m.parameter("torque", 0.1)
    rod = m.body("rod", mass=1, inertia=0, centre_of_mass=(1, 0), angle=-pi / 2)
    pin = m.revolute("pin", m.ground.at(), rod.at())
    m.torque("drive", rod.at(), torque=(0, 0, torque * sympy.sin(RATE * m.t)))
    m.output("angle", pin.angle)
    m.output("reaction", pin.force)
    return load(m, second=True)


def swing(end: float, h: float, torque: float = 0.1, **options: Any) -> Result:
    """Run the pendulum; by default with the null-space method."""
    system = pendulum()
    system.set(torque=torque)
    chosen = {"method": "nullspace-newmark", **options}
    return simulate(system, (0, end), h=h, progress=False, **chosen)


def angle(result: Result) -> np.ndarray:
    """From the vertical."""
    return np.asarray(result["angle"] - result["angle"][0])


def trapezoidal(end: float, h: float, torque: float) -> np.ndarray:
    """The same pendulum by the trapezoidal rule in its one angle."""
    steps = round(end / h)
    theta, rate, found = 0.0, 0.0, [0.0]
    pull = 0.0
    for k in range(1, steps + 1):
        moment = torque * sin(RATE * k * h)
        known = theta + h * rate + h * h / 4 * pull
        for _ in range(20):
            new = moment - GRAVITY * sin(theta)
            change = theta - known - h * h / 4 * new
            theta -= change / (1 + h * h / 4 * GRAVITY * sqrt(1 - sin(theta) ** 2))
            if abs(change) < 1e-14:
                break
        new = moment - GRAVITY * sin(theta)
        rate += h / 2 * (pull + new)
        pull = new
        found.append(theta)
    return np.array(found)


@pytest.mark.slow
def test_the_limit_of_fox_goodwin_is_that_of_the_reduced_equations() -> None:
    """``sqrt(6) / omega`` = 0.78246 s: stable below over 1000 s, unstable above."""
    below = swing(1000, 0.78, preset="fox-goodwin")
    above = swing(1000, 0.79, preset="fox-goodwin")
    assert below.success and above.status == -BROKEN  # and told: it is no motion
    assert np.abs(angle(below)).max() < 0.02 < 0.2 < np.abs(angle(above)).max()
    assert below.measures["max_frequency"] == pytest.approx(OMEGA, rel=1e-5)
    assert below.measures["step_limit"] == pytest.approx(sqrt(6) / OMEGA, rel=1e-5)
    assert below.counters.newton_iterations < 3.2 * below.counters.steps


@pytest.mark.slow
def test_limits_of_the_presets() -> None:
    limits = {"linear-acceleration": sqrt(12) / OMEGA, "trapezoidal": inf, "damped": inf}
    for preset, limit in limits.items():
        found = swing(1, 0.1, preset=preset).measures["step_limit"]
        assert found == pytest.approx(limit, rel=1e-5), preset


@pytest.mark.parametrize("h", [0.01, 0.1, 0.6, 0.78, 0.79])
def test_the_usual_method_fails_with_fox_goodwin_at_every_step(h: float) -> None:
    """Newmark's formula in all coordinates: constraint directions have an infinite frequency."""
    usual = {"formulation": "index3", "projection": "none", "preset": "fox-goodwin"}
    result = swing(1000 * h, h, method="newmark", **usual)
    assert not result.success and len(result.t) < 50
    # Errors of the reactions grow by 5 + sqrt(24) a step, whatever the step.
    size = np.abs(result.lam - result.lam[0]).max(axis=1)
    seen = size[(size > 0.5) & (size < 2e3)]
    assert len(seen) >= 3
    growth = (seen[-1] / seen[0]) ** (1 / (len(seen) - 1))
    assert growth == pytest.approx(5 + sqrt(24), rel=0.05)


@pytest.mark.slow
@pytest.mark.parametrize("torque", [5.0, 6.0, 7.0, 9.0])
def test_a_long_swing_with_a_large_torque(torque: float) -> None:
    """1000 s of the trapezoidal rule: the usual method leaves the motion, this one does not."""
    exact = trapezoidal(1000, 0.1, torque)
    ours = swing(1000, 0.1, torque, preset="trapezoidal")
    assert ours.success
    assert np.abs(angle(ours) - exact).max() < 2e-3
    assert np.abs(ours["reaction"]).max() < 10.5
    assert ours.counters.max_phi_ddot < 1e-10
    usual = {"formulation": "index3", "projection": "none", "preset": "trapezoidal"}
    other = swing(1000, 0.1, torque, method="newmark", **usual)
    kept = len(other.t)
    apart = np.abs(angle(other) - exact[:kept]).max(initial=0.0)
    assert not other.success or apart > 0.05 or np.abs(other["reaction"]).max() > 1e3


@cache
def stiff_double_pendulum() -> System:
    """Two bars with springs and dampers in the joints, the second ones very stiff."""
    m = Model("stiff_double_pendulum", gravity=(0, -9.81, 0), coordinates="planar")
    turn = -pi / 12
    one = m.body("one", mass=3, inertia=3 * 2**2 / 12, centre_of_mass=(1, 0))
    two = m.body(
        "two", mass=0.3, inertia=0.3 * 3**2 / 12, centre_of_mass=(1.5, 0), position=(2, 0),
        angle=turn,
    )  # fmt: skip
    first = m.revolute("first", m.ground.at(), one.at())
    second = m.revolute("second", one.at(2, 0, 0), two.at())
    # Angles count from the start; the second spring is relaxed where both bars are in line.
    at = {"axis": (0, 0, 1)}
    m.torsion_spring("soft", m.ground.at(), one.at(), stiffness=400, damping=15, rest=-pi / 2, **at)
    m.torsion_spring(
        "stiff", one.at(2, 0, 0), two.at(), stiffness=3e5, damping=5e4, rest=-turn, **at
    )
    m.output("theta1", first.angle)
    m.output("theta2", turn + first.angle + second.angle)
    return load(m, second=True)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("preset", "h", "most"),
    [("trapezoidal", 1e-3, 1e-4), ("fox-goodwin", 5e-4, 0.05), ("fox-goodwin", 2.5e-4, 3e-3)],
)
def test_stiff_double_pendulum(preset: str, h: float, most: float) -> None:
    """A spring that is 750 times stiffer than the other, overdamped: against stored numbers.

    It starts with a moment of 8e4 N m, which the formula without damping shakes off slowly.
    """
    stored = reference.load("DP4_negrut_reading")
    result = simulate(
        stiff_double_pendulum(), (0, stored.t[-1]), method="nullspace-newmark", preset=preset,
        h=h, t_eval=stored.t, progress=False,
    )  # fmt: skip
    assert result.success, result.message
    error = np.abs(result["theta1"] - stored.columns["theta1"])
    assert error.max() < most and error[-1] < most / 50
    counters = result.counters
    assert max(counters.max_phi, counters.max_phi_dot, counters.max_phi_ddot) < 1e-10
    assert 750 < result.measures["max_frequency"] < 850
    assert counters.newton_iterations < 3.2 * counters.steps


@cache
def bricard() -> System:
    return load("bricard", layout="loop", second=True)


def turning(h: float, end: float, **options: Any) -> Result:
    chosen = {"method": "nullspace-newmark", "h": h, "progress": False, **options}
    result = simulate(bricard(), (0, end), **chosen)
    assert result.success, result.message
    return result


@pytest.mark.slow
def test_bricard_for_ten_seconds() -> None:
    """Published: a drift of 6.898e-4 J at 10 ms; constraints that depend on each other."""
    result = turning(0.01, 10, preset="fox-goodwin")
    assert result.counters.energy_drift == pytest.approx(6.65e-4, rel=0.005)
    counters = result.counters
    assert max(counters.max_phi, counters.max_phi_dot, counters.max_phi_ddot) < 1e-10
    assert result.measures["max_frequency"] == pytest.approx(2.34, abs=0.01)


@pytest.mark.slow
def test_multipliers_of_redundant_joints_are_those_of_other_methods() -> None:
    """Infinitely many would do; the smallest in the metric of the regularisation are taken."""
    ours, other = turning(1e-3, 0.05), turning(1e-3, 0.05, method="newmark")
    scale = np.abs(other.lam).max()
    assert np.abs(ours.lam - other.lam).max() < 1e-4 * scale
    assert np.abs(ours.q - other.q).max() < 1e-5


@pytest.mark.slow
def test_newton_converges_quadratically() -> None:
    """What is left after an iteration is of the order of the square of what was left before."""
    exact = turning(0.2, 0.2, tolerance=1e-14)
    left: dict[int, float] = {}
    for tolerance in (1e-3, 1e-5, 1e-8, 1e-11):
        result = turning(0.2, 0.2, tolerance=tolerance)
        apart = max(np.abs(result.q - exact.q).max(), np.abs(result.v - exact.v).max())
        left[result.counters.newton_iterations] = apart
    assert len(left) >= 3 and max(left) <= 5, left
    for k in sorted(left)[1:]:
        assert left[k] < max(5 * left[k - 1] ** 2, 1e-11), left


def test_what_it_does_not_take() -> None:
    with pytest.raises(OptionError, match="brings its own treatment of the constraints"):
        swing(1, 0.1, formulation="index1")
    with pytest.raises(OptionError, match="second=True"):
        simulate(load("pendulum"), (0, 1), method="nullspace-newmark")


@pytest.mark.slow
def test_a_motion_that_is_all_prescribed() -> None:
    """No degree of freedom is left: the reduced equations are empty, reactions are not."""
    m = Model("prescribed", gravity=(0, -9.81, 0))
    arm = m.body("arm", mass=1, inertia=(0.1, 0.2, 0.3), position=(1, 0, 0))
    hinge: dict[str, Any] = {"at": (0, 0, 0), "axis": (0, 0, 1)}
    m.revolute("pin", m.ground, arm, **hinge)
    m.rotation_driver("motor", m.ground, arm, **hinge, angle=m.t**2)
    system = load(m, second=True)
    ours, other = (
        simulate(system, (0, 1), method=name, h=1e-2, progress=False)
        for name in ("nullspace-newmark", "newmark")
    )
    assert ours.success and ours.info.dof == 0
    np.testing.assert_allclose(ours.q[-1][:2], (np.cos(1), np.sin(1)), atol=1e-12)
    np.testing.assert_allclose(ours.lam[-1], other.lam[-1], atol=1e-10)
