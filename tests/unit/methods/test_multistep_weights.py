"""Weights of multistep formulas, and what such methods remember."""

import numpy as np
import pytest

from mbdgen import load
from mbdgen.runtime.program.compiled_functions import compiled
from mbdgen.runtime.solvers.dense_workspace import new_dense_workspace
from mbdgen.runtime.steps.interpolation_weights import integral_weights, slope_weights
from mbdgen.runtime.steps.multistep_history import EARLIER, PRESENT, remember

UNEVEN = np.array([1.0, 0.0, -0.4, -1.7, -1.9, -3.2])


@compiled
def integrals(instants, weights):  # type: ignore[no-untyped-def]
    return integral_weights(instants, weights)


@compiled
def slopes(instants, weights):  # type: ignore[no-untyped-def]
    slope_weights(instants, weights)


@pytest.mark.parametrize(
    ("first", "weights", "error"),
    [
        (0.0, [1.0], 1 / 2),
        (0.0, [55 / 24, -59 / 24, 37 / 24, -9 / 24], 251 / 720),
        (1.0, [1 / 2, 1 / 2], -1 / 12),
        (1.0, [9 / 24, 19 / 24, -5 / 24, 1 / 24], -19 / 720),
    ],
)
def test_adams_with_equal_steps(first: float, weights: list[float], error: float) -> None:
    """Tables of Bashforth and Moulton, and their error constants."""
    count = len(weights)
    found = np.empty(count)
    e = integrals(first - np.arange(count), found)
    np.testing.assert_allclose(found, weights, rtol=1e-13)
    factorial = float(np.prod(np.arange(1, count + 1)))
    assert e / factorial == pytest.approx(error, rel=1e-13)


@pytest.mark.parametrize(
    "weights", [[1, -1], [3 / 2, -2, 1 / 2], [137 / 60, -5, 5, -10 / 3, 5 / 4, -1 / 5]]
)
def test_bdf_with_equal_steps(weights: list[float]) -> None:
    found = np.empty(len(weights))
    slopes(1.0 - np.arange(len(weights)), found)
    np.testing.assert_allclose(found, weights, rtol=1e-13)


@pytest.mark.parametrize("count", range(1, 7))
def test_polynomials_are_exact_with_any_steps(count: int) -> None:
    of_integral, of_slope = np.empty(count), np.empty(count)
    instants = UNEVEN[:count].copy()
    integrals(instants, of_integral)
    slopes(instants, of_slope)
    for power in range(count):
        values = instants**power
        assert of_integral @ values == pytest.approx(1 / (power + 1), rel=1e-12)
        assert of_slope @ values == pytest.approx(power, abs=1e-12 * np.abs(of_slope).max())


def test_history() -> None:
    """Newest first; a step that is repeated finds what it found before."""
    system = load("pendulum")
    dense = new_dense_workspace(
        system, np.zeros(4), dof=1, z=np.zeros(0), rows=PRESENT + 1, projects=False, completes=False
    )
    for n in range(8):
        vector = np.full(len(dense.y), float(n))
        for _ in range(2):
            known = remember(dense, 0.1 * n**2, vector)
            assert known == min(n, EARLIER)
            np.testing.assert_array_equal(dense.rows[PRESENT], vector)
            for k in range(1, known + 1):
                assert dense.times[k] == 0.1 * (n - k) ** 2
                assert (dense.rows[k] == n - k).all()
