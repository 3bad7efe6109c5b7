"""Cubic Hermite polynomials on the unit interval."""

from typing import Any


def hermite(x: Any, length: Any = 1.0) -> tuple[Any, Any, Any, Any]:
    r"""Return the cubic Hermite polynomials: value and slope at the first end, then at the second.

    .. math:: 1 - 3x^2 + 2x^3, \quad l(x - 2x^2 + x^3), \quad 3x^2 - 2x^3, \quad l(x^3 - x^2)

    Slopes are derivatives with respect to the distance along a line of length :math:`l`; `x` may be
    a number, an expression or an array.
    """
    return (
        1 - 3 * x**2 + 2 * x**3,
        length * (x - 2 * x**2 + x**3),
        3 * x**2 - 2 * x**3,
        length * (x**3 - x**2),
    )


def hermite_slope(x: Any, length: Any = 1.0) -> tuple[Any, Any, Any, Any]:
    """Return the derivatives of the Hermite polynomials with respect to `x`."""
    return (
        6 * x**2 - 6 * x,
        length * (1 - 4 * x + 3 * x**2),
        6 * x - 6 * x**2,
        length * (3 * x**2 - 2 * x),
    )
