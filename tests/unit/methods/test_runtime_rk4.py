"""The explicit method with projections on kernels written by hand."""

import numpy as np
import pytest

from mbdgen.runtime.simulate import simulate
from tests.convergence import assert_order, study
from tests.handwritten.kernels_pendulum import pendulum
from tests.handwritten.kernels_planar import four_bars
from tests.reference import load


def test_order_four_on_the_pendulum() -> None:
    exact = load("A01").until(5.0)
    outcome = study(
        lambda h: simulate(pendulum(), (0.0, 5.0), "rk4", h, exact.t).q,
        5e-3,
        exact.stack("x", "y"),
    )
    assert_order(outcome, 4.0, 0.2)


def test_order_four_on_four_bars() -> None:
    exact = load("A02_two").until(1.5)
    outcome = study(
        lambda h: 2.0 * simulate(four_bars(), (0.0, 1.5), "rk4", h, exact.t).q[:, :2],
        2e-2,
        exact.stack("x1", "y1"),
    )
    assert_order(outcome, 4.0, 0.2)


@pytest.mark.parametrize("redundant", [False, True])
def test_constraints_and_energy(redundant: bool) -> None:
    result = simulate(four_bars(redundant=redundant), (0.0, 10.0), method="rk4", h=1e-2)
    counters = result.counters
    assert result.success
    assert counters.energy_drift < 1e-4
    assert counters.max_phi < 1e-10 and counters.max_phi_dot < 1e-8
    assert counters.max_phi_ddot < 1e-8
    assert counters.factorisations == 4 * counters.steps and counters.newton_iterations == 0


def test_agrees_with_newmark() -> None:
    explicit = simulate(four_bars(), (0.0, 1.0), method="rk4", h=1e-3)
    implicit = simulate(four_bars(), (0.0, 1.0), method="newmark", h=1e-3)
    assert np.abs(explicit.q - implicit.q).max() < 1e-5
    assert np.abs(explicit.lam - implicit.lam).max() < 1e-3 * np.abs(explicit.lam).max()
