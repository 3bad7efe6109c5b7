"""A step of fixed cost: one factorisation, no iteration, and still of order 2."""

import numpy as np
import pytest

from mbdgen import load, measures, simulate
from mbdgen.runtime.system.system import System


@pytest.fixture(scope="module")
def system() -> System:
    return load("double_pendulum", layout="loop", angle1=0.3)


def test_one_factorisation_a_step(system: System) -> None:
    result = simulate(system, (0, 1), h=1e-2, method="linear-implicit")
    assert result.success, result.message
    assert result.counters.factorisations <= result.counters.steps + 4  # pivots are chosen first
    assert result.counters.newton_iterations == 0


def test_order_and_constraints(system: System) -> None:
    exact = simulate(system, (0, 1), h=1e-3, method="dop853")
    steps, errors, violations = [2e-2, 1e-2, 5e-3], [], []
    for h in steps:
        found = simulate(system, (0, 1), h=h, method="linear-implicit")
        errors.append(np.abs(found.q[-1] - exact.q[-1]).max())
        violations.append(found.counters.max_phi)
    assert measures.order(steps, errors) == pytest.approx(2.0, abs=0.1)
    # What one iteration leaves is of order 4 and does not add up.
    assert measures.order(steps, violations) > 3.0
    assert violations[-1] < 1e-6
