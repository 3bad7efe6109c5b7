"""Polynomials."""

from typing import Any

from mbdgen.errors import ModelError
from mbdgen.functions.base import TimeFunction, argument, as_expression
from mbdgen.language.expressions.scalars import as_scalar


def polynomial(*coefficients: Any) -> TimeFunction:
    r"""Return the polynomial of these coefficients, unbounded on both sides.

    .. math:: f(x) = c_1 + c_2 x + c_3 x^2 + \dots

    ``polynomial(5)`` is a constant, ``polynomial(0, 2 * pi)`` a rotation at one revolution per
    second.
    """
    if not coefficients:
        raise ModelError("A polynomial has no coefficients.", "Give c1, c2, ... of 1, x, x^2, ...")
    value = as_expression(0.0)
    for k, c in reversed([*enumerate(coefficients, 1)]):
        value = value * argument() + as_scalar(c, f"coefficient {k} of a polynomial")
    return TimeFunction(value, "polynomial")
