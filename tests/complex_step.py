"""Derivatives of a callable without cancellation, to check derivatives that were generated.

For a function that is analytic and evaluated in complex arithmetic (no ``abs``, no comparison of
the perturbed value, no conjugate)

    df/dx_j = Im f(x + i h e_j) / h + O(h^2)

has no subtraction, so ``h = 1e-30`` gives the derivative to the last digit.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

FloatArray = NDArray[np.float64]
Function = Callable[[NDArray[Any]], ArrayLike]


def directional(
    fun: Function, x: ArrayLike, direction: ArrayLike, step: float = 1e-30
) -> FloatArray:
    """Derivative of ``fun`` at ``x`` along ``direction``, the shape of ``fun(x)``."""
    moved = np.asarray(x, dtype=np.complex128) + 1j * step * np.asarray(direction, dtype=float)
    value = np.asarray(fun(moved))
    if not np.iscomplexobj(value):
        raise TypeError("the function dropped the imaginary part: it is not complex-safe")
    return np.asarray(value.imag / step, dtype=np.float64)


def jacobian(fun: Function, x: ArrayLike, step: float = 1e-30) -> FloatArray:
    """Matrix of derivatives, shape ``fun(x).shape + (len(x),)``, by complex steps."""
    point = np.atleast_1d(np.asarray(x, dtype=float))
    columns = [directional(fun, point, axis, step) for axis in np.eye(point.size)]
    return np.stack(columns, axis=-1)


def central_jacobian(fun: Function, x: ArrayLike, step: float = 1e-3) -> FloatArray:
    """Same matrix by sixth-order central differences, for compiled functions of reals only.

    ``f' = (45 (f1 - f-1) - 9 (f2 - f-2) + (f3 - f-3)) / (60 h) + O(h^6)``: about ten digits.
    """
    point = np.atleast_1d(np.asarray(x, dtype=float))
    columns = []
    for axis in np.eye(point.size) * step:
        total = np.zeros(np.shape(fun(point)))
        for k, weight in ((1, 45.0), (2, -9.0), (3, 1.0)):
            # Copies, because a compiled function may hand out the same buffer every time.
            ahead = np.array(fun(point + k * axis), dtype=float)
            total = total + weight * (ahead - np.array(fun(point - k * axis), dtype=float))
        columns.append(total / (60.0 * step))
    return np.stack(columns, axis=-1)


def assert_derivative(
    actual: ArrayLike, expected: ArrayLike, label: str, rtol: float = 1e-12
) -> None:
    """Fail, naming the worst entry, if two matrices differ by more than ``rtol`` of their size."""
    got, want = np.asarray(actual, dtype=float), np.asarray(expected, dtype=float)
    assert got.shape == want.shape, f"{label}: shape {got.shape} instead of {want.shape}"
    if want.size == 0:
        return
    error = np.abs(got - want)
    worst = np.unravel_index(int(np.argmax(np.where(np.isnan(error), np.inf, error))), error.shape)
    bound = rtol * max(1.0, float(np.max(np.abs(want))))
    assert error[worst] <= bound, (
        f"{label}: entry {tuple(int(i) for i in worst)} is {got[worst]!r}, "
        f"complex step says {want[worst]!r}, difference {error[worst]:.2e} > {bound:.2e}"
    )
