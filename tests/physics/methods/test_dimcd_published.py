"""Numbers that the thesis on DIMCD and recomputations of it have published for the benchmarks.

Deviations of the energy in 10 s, of the balance with the work of the motor (A03), and the total
error of the height (A05). They belong to quaternions: other coordinates of the same bodies have
other differences, and deviations that differ by some per cent.
"""

from typing import Any

import numpy as np
import pytest

from mbdgen import Model, Result, load, measures, simulate
from mbdgen.language.bodies.orientation import axis_angle
from mbdgen.runtime.system.system import System
from tests.andrews_in_space import andrews_in_space
from tests.mechanisms import spinning_pair
from tests.physics.running import system
from tests.reference import load as load_reference


def run(mechanism: System, end: float, h: float, **options: Any) -> Result:
    result = simulate(mechanism, (0, end), method="dimcd", h=h, progress=False, **options)
    assert result.success, result.message
    assert measures.violations(mechanism, result).position.max() < 1e-12
    return result


A01 = ((0.05, 9.06e-2, 3), (0.01, 3.609e-3, 4), (0.005, 9.022e-4, 4), (0.001, 3.609e-5, 4))


@pytest.mark.parametrize(("h", "published", "digits"), A01)
def test_pendulum(h: float, published: float, digits: int) -> None:
    found = measures.energy_deviation(run(system("pendulum"), 10.0, h))
    assert found == pytest.approx(published, rel=0.51 * 10.0 ** (1 - digits))


@pytest.mark.parametrize(("h", "end", "published"), [(0.01, 10.0, 0.03932), (0.015, 9.99, 0.08852)])
def test_two_four_bars(h: float, end: float, published: float) -> None:
    """Singular positions are passed; 10 s are no whole number of steps of 15 ms."""
    result = run(system("n_four_bar", coordinates="quaternion"), end, h)
    assert measures.energy_deviation(result) == pytest.approx(published, abs=5e-6)
    assert result.info.redundant > 0


def test_bricard() -> None:
    result = run(system("bricard", width=0.1), 10.0, 0.01)
    assert measures.energy_deviation(result) == pytest.approx(3.606e-4, abs=5e-8)
    assert result.counters.newton_iterations < 3.5 * result.counters.steps


@pytest.mark.slow
def test_governor() -> None:
    """2.5 ms are half of what is stable."""
    reference = load_reference("A05")
    result = run(system("governor"), 10.0, 2.5e-3)
    height = measures.at_instants(result, ["height"], reference.t)[:, 0]
    assert measures.total_error(height, reference["s"]) == pytest.approx(9.54e-5, abs=5e-8)


@pytest.mark.slow
@pytest.mark.parametrize(("h", "published"), [(1e-5, 3.024e-5), (5e-6, 7.559e-6)])
def test_andrews(h: float, published: float) -> None:
    """Against the angle that the motor has turned by, as the source has it."""
    result = run(load(andrews_in_space()), 0.05, h)
    balance = measures.motor_balance(result, 0.033, np.unwrap(result["beta"]))
    assert np.abs(balance).max() == pytest.approx(published, rel=2e-4)


def turned(result: Result) -> Any:
    return np.column_stack([result[f"body.q{k}"] for k in range(4)])[-1]


def errors(model: Model, end: float, steps: list[float]) -> list[float]:
    """Of the quaternion at the end, against a method of order 8."""
    mechanism = load(model)
    exact = simulate(mechanism, (0, end), method="dop853", h=min(steps) / 4, progress=False)
    return [float(np.linalg.norm(turned(run(mechanism, end, h)) - turned(exact))) for h in steps]


def test_torque_free_body() -> None:
    m = Model("torque_free", gravity=(0, 0, 0))
    inertia = (1.0, 2.0, 3.5)  # as it was published; no distribution of mass has it
    m.body("body", 1, inertia, angular_velocity=(0.3, 2, 0.1), allow_unphysical_inertia=True)
    found = errors(m, 2.0, [20e-3, 10e-3, 5e-3])
    assert found == pytest.approx([1.4065e-4, 3.5159e-5, 8.7894e-6], rel=5e-5)


def test_top() -> None:
    m = Model("top_at_centre", gravity=(0, 0, -9.81))
    tilt = axis_angle((1, 0, 0), 0.4)
    centre = (0.0, -0.5 * np.sin(0.4), 0.5 * np.cos(0.4))
    top = m.body(
        "body", 1, (0.05, 0.05, 0.1), position=centre, orientation=tilt,
        angular_velocity=(0, 0, 30), angular_velocity_axes="body",
    )  # fmt: skip
    m.spherical("tip", m.ground, top, at=(0, 0, 0))
    found = errors(m, 1.0, [2e-3, 1e-3, 0.5e-3])
    assert found == pytest.approx([2.3325e-3, 5.8293e-4, 1.4572e-4], rel=5e-5)


PAIRS = {
    "revolute": (-0.2397756, 0.0225555, -0.4381768, -0.6968823, 0.2342107, -0.7606510),
    "cylindrical": (-0.2104386, 0.0463960, -0.4511796, 0.0030325, 1.8890637, -1.7513055),
    "prismatic": (-0.1942088, 0.0400959, -0.4589938, 0.0001786, 1.8877517, -1.7515495),
    "planar": (-0.3586656, 0.0389719, -0.3461794, 0.6103528, 1.7829052, -1.9722857),
}
"""Both centres of mass after half a second."""


@pytest.mark.slow
@pytest.mark.parametrize("kind", PAIRS)
def test_pairs_of_moving_bodies(kind: str) -> None:
    """Extrapolated from steps of 2 and 1 ms, to the last digit that was published."""
    mechanism = load(spinning_pair(kind))
    coarse, fine = (run(mechanism, 0.5, h) for h in (2e-3, 1e-3))
    names = [f"{body}.{c}" for body in ("first", "second") for c in "xyz"]
    ends = [measures.at_instants(r, names, [0.5])[0] for r in (coarse, fine)]
    assert (4.0 * ends[1] - ends[0]) / 3.0 == pytest.approx(PAIRS[kind], abs=1.5e-7)
