"""The helpers of the tests do what the tests rely on."""

import numpy as np
import pytest

from tests import complex_step, convergence
from tests.reference import cases, load


@pytest.mark.parametrize("case", cases())
def test_every_reference_is_complete(case: str) -> None:
    ref = load(case)
    assert ref.case == case
    assert len(ref.meta["model"]) > 100 and 0.0 < ref.accuracy < 1e-5
    assert all(np.isfinite(column).all() for column in ref.columns.values())
    if not ref.meta.get("columns", ["t[s]"])[0].startswith("t["):
        return  # a table, no motion
    assert ref.t.size == ref.meta["rows"] >= 41
    assert ref.t[0] == 0.0
    np.testing.assert_allclose(np.diff(ref.t), ref.t[1], rtol=1e-9)


def test_columns_by_name_without_unit() -> None:
    ref = load("A01")
    assert ref["rod_tension"].shape == (101,)
    assert ref.units["rod_tension"] == "N"
    assert ref.stack("x", "y").shape == (101, 2)
    assert ref.until(5.0).t[-1] == 5.0
    assert ref.until(5.0)["x"].shape == (51,)


def test_unknown_or_ambiguous_case() -> None:
    with pytest.raises(LookupError, match="none"):
        load("NO_SUCH_CASE")
    with pytest.raises(LookupError, match="A04_bricard_square"):
        load("A04")
    assert load("A03_andrews").case == "A03_andrews"


def test_complex_step_is_exact() -> None:
    def fun(x: np.ndarray) -> np.ndarray:
        return np.array([x[0] ** 3 * np.sin(x[1]), np.exp(x[1]) / x[0]])

    x, y = 1.7, -0.4
    exact = [[3 * x**2 * np.sin(y), x**3 * np.cos(y)], [-np.exp(y) / x**2, np.exp(y) / x]]
    complex_step.assert_derivative(complex_step.jacobian(fun, [x, y]), exact, "fun", 1e-15)
    complex_step.assert_derivative(complex_step.central_jacobian(fun, [x, y]), exact, "fun", 1e-10)
    along = complex_step.directional(fun, [x, y], [1.0, 2.0])
    np.testing.assert_allclose(along, np.array(exact) @ [1.0, 2.0], rtol=1e-15)


def test_complex_step_of_a_matrix_valued_function() -> None:
    def fun(x: np.ndarray) -> np.ndarray:
        return np.outer(x, x)

    result = complex_step.jacobian(fun, [1.0, 2.0, 3.0])
    assert result.shape == (3, 3, 3)
    np.testing.assert_array_equal(result[0, 1], [2.0, 1.0, 0.0])


def test_complex_step_refuses_a_function_that_drops_the_imaginary_part() -> None:
    with pytest.raises(TypeError, match="complex-safe"):
        complex_step.jacobian(lambda x: x.real**2, [1.0])


def test_wrong_derivative_names_the_entry() -> None:
    wrong = np.eye(3)
    wrong[2, 1] = 1e-6
    with pytest.raises(AssertionError, match=r"tangent: entry \(2, 1\)"):
        complex_step.assert_derivative(wrong, np.eye(3), "tangent")
    with pytest.raises(AssertionError, match="nan"):
        complex_step.assert_derivative([[np.nan]], [[1.0]], "tangent")


def trapezoidal(h: float) -> list[float]:
    """``y' = -y`` by the trapezoidal rule at t = 0.5 and 1: errors of order 2."""
    factor = (1.0 - h / 2) / (1.0 + h / 2)
    return [factor ** round(t / h) for t in (0.5, 1.0)]


def test_order_with_and_without_a_reference() -> None:
    exact = np.exp([-0.5, -1.0])
    outcome = convergence.study(trapezoidal, 0.1, exact)
    convergence.assert_order(outcome, 2.0, 0.01)
    assert outcome.steps == (0.1, 0.05, 0.025)
    convergence.assert_order(convergence.study(trapezoidal, 0.1), 2.0, 0.02)
    np.testing.assert_allclose(outcome.extrapolated, exact, atol=1e-6)
    assert "order" in str(outcome)
    assert len(str(outcome).splitlines()) == 4


def test_wrong_order_shows_the_table() -> None:
    with pytest.raises(AssertionError, match="ratio"):
        convergence.assert_order(convergence.study(trapezoidal, 0.1), 1.0)
    with pytest.raises(ValueError, match="3 runs"):
        convergence.study(trapezoidal, 0.1, levels=2)


def test_order_is_not_observed_when_an_error_vanishes() -> None:
    outcome = convergence.study(lambda h: [1.0], 0.1, [1.0])
    assert np.isnan(outcome.order)
    with pytest.raises(AssertionError):
        convergence.assert_order(outcome, 2.0)
