"""Steps of a given shape between two values, constant outside of the interval."""

from collections.abc import Callable
from typing import Any

from mbdgen.functions.base import TimeFunction, argument, as_expression, check_order, scalars


def step(
    name: str, shape: Callable[[Any], Any], start: Any, end: Any, before: Any, after: Any
) -> TimeFunction:
    r"""Return the step of a shape s with s(0) = 0 and s(1) = 1.

    .. math::
        f(x) = f_0 + (f_1 - f_0)\, s(u), \qquad u = \frac{x - x_0}{x_1 - x_0} \in [0, 1]
    """
    x0, x1, f0, f1 = scalars(name, start=start, end=end, before=before, after=after)
    check_order(name, start=x0, end=x1)
    u = (argument() - x0) / (x1 - x0)
    return held(name, f0 + (f1 - f0) * shape(u), x0, x1, f0, f1)


def held(name: str, inside: Any, start: Any, end: Any, before: Any, after: Any) -> TimeFunction:
    """Return an expression within an interval, and constant values before and after it."""
    import sympy

    x = argument()
    cases = ((before, x < start), (inside, x < end), (after, True))
    return TimeFunction(sympy.Piecewise(*((as_expression(e), c) for e, c in cases)), name)
