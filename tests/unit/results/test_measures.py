"""Errors, energies, violations and orders of motions."""

import dataclasses

import numpy as np
import pytest

from mbdgen import Result, load, measures, simulate
from mbdgen.errors import OptionError
from mbdgen.runtime.system.system import System
from tests.sample_result import make


@pytest.fixture(scope="module")
def pendulum() -> System:
    return load("pendulum")


def test_errors_below_the_threshold_are_relative_to_it() -> None:
    errors = measures.relative_error([[2.2, 1e-3], [0.0, -5e-4]], [[2.0, 0.0], [1e-4, -4e-3]])
    assert np.allclose(errors, [[0.1, 1.0], [0.1, 3.5e-3 / 4e-3]], rtol=1e-12)
    assert measures.total_error([3.0, 1.0], [1.0, 1.0], threshold=2.0) == pytest.approx(0.5**0.5)


def test_different_shapes_and_thresholds_of_zero_are_refused() -> None:
    with pytest.raises(OptionError, match="same instants"):
        measures.total_error(np.zeros(3), np.zeros(4))
    with pytest.raises(OptionError, match="not positive"):
        measures.total_error(np.zeros(3), np.zeros(3), threshold=0.0)


def with_energies(kinetic: list[float], potential: list[float], work: list[float]) -> Result:
    energies = np.array([kinetic, potential, work]).T
    return dataclasses.replace(make(n_t=len(kinetic)), energies=energies)


def test_measures_of_energy() -> None:
    result = with_energies([1.0, 2.0, 4.0], [3.0, 1.0, 1.0], [0.0, 0.0, 0.5])
    assert measures.energy_deviation(result) == 1.0
    assert np.array_equal(measures.energy_balance(result), [0.0, -1.0, 0.5])
    assert np.array_equal(measures.motor_balance(result, 2.0, [0.1, 0.1, 0.6]), [0.0, -1.0, 0.0])
    assert measures.energy_spread(result) == 100.0 * 2.0 / 4.0
    with pytest.raises(OptionError, match="percent"):
        measures.energy_spread(with_energies([1.0], [-1.0], [0.0]))
    with pytest.raises(OptionError, match="every instant"):
        measures.motor_balance(result, 2.0, [0.1, 0.2])


def test_series_at_instants() -> None:
    result = make()
    found = measures.at_instants(result, ["tip", "rod.theta"], [0.0, 0.1, 0.2])
    assert np.array_equal(found[:, :2], result["tip"][[0, 10, 20]])
    assert np.array_equal(found[:, 2], result["rod.theta"][[0, 10, 20]])
    with pytest.raises(OptionError, match=r"no instant t = 0\.105"):
        measures.at_instants(result, ["tip"], [0.1, 0.105])


def test_violations_are_those_of_a_motion_that_was_spoilt(pendulum: System) -> None:
    result = simulate(pendulum, (0, 0.1), h=0.01)
    clean = measures.violations(pendulum, result)
    largest = result.counters
    assert clean.position.max() < 1e-12 and clean.velocity.max() < 1e-10
    assert clean.acceleration.shape == result.t.shape and largest.max_phi <= clean.position.max()
    spoilt = dataclasses.replace(result, q=result.q * (1.0 + 1e-3))
    assert 1e-4 < measures.violations(pendulum, spoilt).position[-1] < 1e-2


def test_orders_and_their_fit() -> None:
    h = np.array([0.1, 0.05, 0.02])
    assert np.allclose(measures.orders(h, 3.0 * h**2), 2.0)
    assert measures.order(h, 7.0 * h**4) == pytest.approx(4.0)
    assert np.isnan(measures.orders(h, [1.0, 0.0, 0.1])).all()
    flat = [1.0, 1e-2, 1e-4, 1e-4]  # the last error is one of round-off
    assert measures.order([1.0, 0.1, 0.01, 1e-3], flat, floor=2e-4) == pytest.approx(2.0)
    with pytest.raises(OptionError, match="as many errors"):
        measures.order([0.1, 0.1], [1.0, 2.0])
