"""Linear ramp between two values."""

from typing import Any

from mbdgen.functions.base import TimeFunction, argument, check_order, scalars


def ramp(start: Any, end: Any, before: Any = 0.0, after: Any = 1.0) -> TimeFunction:
    r"""Return a linear ramp between two constant values, for loads and velocities.

    .. math::
        f(x) = f_0 + \frac{f_1 - f_0}{x_1 - x_0}
        \bigl(\max(0, x - x_0) - \max(0, x - x_1)\bigr)

    Its slope has explicit jumps: a position driver rejects it.
    """
    import sympy

    name = "ramp"
    x0, x1, f0, f1 = scalars(name, start=start, end=end, before=before, after=after)
    check_order(name, start=x0, end=x1)
    x = argument()
    risen = sympy.Max(0, x - x0) - sympy.Max(0, x - x1)
    return TimeFunction(f0 + (f1 - f0) / (x1 - x0) * risen, name)
