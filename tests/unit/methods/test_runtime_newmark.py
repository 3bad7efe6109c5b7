"""The trapezoidal rule with projections on kernels written by hand."""

import numpy as np
import pytest

from mbdgen.runtime.simulate import simulate
from mbdgen.runtime.system.system import System
from tests.convergence import assert_order, study
from tests.handwritten.kernels_pendulum import pendulum
from tests.handwritten.kernels_planar import chain, four_bars, planar
from tests.reference import load


def test_pendulum_energy_and_constraints() -> None:
    result = simulate(pendulum(), (0.0, 10.0), h=1e-3)
    assert result.success and result.status == 0
    assert len(result.t) == 10001 and result.t[-1] == 10.0
    counters = result.counters
    assert counters.energy_drift <= 3.7e-5
    assert counters.max_phi <= 1e-10
    assert counters.max_phi_dot <= 1e-8
    assert counters.max_phi_ddot <= 1e-8
    assert counters.steps == 10000
    energy = result.energies[:, 0] + result.energies[:, 1]
    assert np.abs(energy - energy[0]).max() == counters.energy_drift
    assert np.abs(result.q[-1] - load("A01").stack("x", "y")[-1]).max() < 1e-4


def test_pendulum_reaction() -> None:
    result = simulate(pendulum(), (0.0, 2.0), h=1e-3)
    tension = -3.0 * 9.81 * result.q[:, 1]  # energy and Newton's second law along the rod
    assert np.abs(result["tension"] - tension).max() < 1e-4


def test_order_two_on_the_pendulum() -> None:
    exact = load("A01").until(5.0)
    outcome = study(
        lambda h: simulate(pendulum(), (0.0, 5.0), h=h, t_eval=exact.t).q,
        8e-3,
        exact.stack("x", "y"),
    )
    assert_order(outcome, 2.0)


def test_order_two_on_four_bars_through_a_singular_position() -> None:
    exact = load("A02_two").until(1.5)
    outcome = study(
        lambda h: 2.0 * simulate(four_bars(), (0.0, 1.5), h=h, t_eval=exact.t).q[:, :2],
        4e-3,
        exact.stack("x1", "y1"),
    )
    assert_order(outcome, 2.0)


@pytest.mark.parametrize("redundant", [False, True])
def test_four_bars_through_singular_positions(redundant: bool) -> None:
    result = simulate(four_bars(redundant=redundant), (0.0, 10.0), h=1e-2)
    assert result.success
    assert result.info.dof == 1
    assert result.info.redundant == (2 if redundant else 0)
    assert result.counters.energy_drift <= 0.1
    assert result.counters.max_phi <= 1e-10
    assert result.counters.max_phi_dot <= 1e-8


def test_redundant_constraints_change_nothing_but_multipliers() -> None:
    plain = simulate(four_bars(), (0.0, 2.0), h=5e-3)
    doubled = simulate(four_bars(redundant=True), (0.0, 2.0), h=5e-3)
    assert np.abs(plain.q - doubled.q).max() < 1e-9
    # The two equal joints share what one of them carries alone.
    assert doubled.lam[:, -2:] == pytest.approx(plain.lam[:, -2:] / 2.0, abs=1e-4)
    assert doubled.lam[:, -4:-2] == pytest.approx(plain.lam[:, -2:] / 2.0, abs=1e-4)


@pytest.mark.parametrize("angle", [0.0, 1e-9, 1e-6, 1e-3])
def test_start_in_a_singular_position(angle: float) -> None:
    system = four_bars()
    c, s, omega = np.cos(angle), np.sin(angle), 3.0
    for i in range(3):
        system.q0[3 * i : 3 * i + 3] = [i + 0.5 * c, 0.5 * s, angle]
        system.v0[3 * i : 3 * i + 3] = [-0.5 * s * omega, 0.5 * c * omega, omega]
    for i in range(2):
        system.q0[9 + 3 * i : 12 + 3 * i] = [i + 0.5 + c, s, 0.0]
        system.v0[9 + 3 * i : 12 + 3 * i] = [-s * omega, c * omega, 0.0]
    result = simulate(system, (0.0, 2.0), h=1e-2)
    assert result.success and result.counters.energy_drift < 0.05
    assert result.info.dof == (3 if angle < 1e-8 else 1)


def test_work_of_torque_and_damper() -> None:
    joint = [(-1, 0, (0.0, 0.0), (-0.5, 0.0))]
    data = {"gravity": 9.81, "torque": 2.0, "damping": 0.3}
    system = planar([0.5, 0.0, 0.0], np.zeros(3), [1.0], [1.0 / 12.0], joint, **data)
    result = simulate(system, (0.0, 5.0), h=2e-3)
    omega = result.v[:, 2]
    power = (2.0 - 0.3 * omega) * omega
    work = np.sum(np.diff(result.t) * (power[1:] + power[:-1]) / 2.0)
    assert result.energies[-1, 2] == pytest.approx(work, abs=1e-4)
    assert result.counters.energy_drift < 1e-4
    assert np.ptp(result.energies[:, 2]) > 1.0


def test_numerical_damping_and_options() -> None:
    damped = simulate(pendulum(), (0.0, 2.0), h=1e-2, gamma=0.6, beta=0.3025)
    energy = damped.energies[:, 0] + damped.energies[:, 1]
    assert damped.success and energy[-1] < -0.01


def test_long_chain() -> None:
    result = simulate(chain(1000), (0.0, 0.02), h=1e-2)
    assert result.success
    assert result.info.dof == 1000 and result.info.redundant == 0
    assert result.counters.max_phi <= 1e-10


def test_bit_equal_repetition() -> None:
    system = four_bars()
    first, second = (simulate(system, (0.0, 1.0), h=1e-2) for _ in range(2))
    assert np.array_equal(first.q, second.q) and np.array_equal(first.lam, second.lam)


def drift(system: System, h: float, shared: float) -> float:
    return simulate(system, (0.0, 10.0), h=h, shared=shared, t_eval=[10.0]).counters.energy_drift


def test_shared_reactions_raise_the_order_of_the_energy() -> None:
    """The numbers of docs/decisions/010-shared-reactions.md."""
    usual = [drift(pendulum(), h, 0.0) for h in (2e-3, 1e-3)]
    shared = [drift(pendulum(), h, 1.0) for h in (2e-3, 1e-3)]
    assert usual[0] / usual[1] == pytest.approx(4.0, rel=0.05)
    assert shared[0] / shared[1] == pytest.approx(8.0, rel=0.05)
    assert shared[1] < usual[1] / 30.0
    exact = load("A01").stack("x", "y")[-1]
    error = [
        np.abs(simulate(pendulum(), (0.0, 10.0), t_eval=[10.0], shared=x).q[-1] - exact).max()
        for x in (0.0, 1.0)
    ]
    assert error[1] < 0.55 * error[0]
    assert drift(four_bars(), 1e-2, 1.0) < drift(four_bars(), 1e-2, 0.0) < 0.1
    assert drift(four_bars(), 1.5e-2, 1.0) > drift(four_bars(), 1.5e-2, 0.0)
