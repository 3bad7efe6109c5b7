"""Smooth step: cycloidal motion."""

from typing import Any

from mbdgen.functions.base import TimeFunction
from mbdgen.functions.step import step


def cycloid(start: Any, end: Any, before: Any = 0.0, after: Any = 1.0) -> TimeFunction:
    r"""Return a step whose acceleration is one period of a sine: the motion of many cams.

    .. math:: s(u) = u - \frac{\sin 2 \pi u}{2 \pi}
    """
    return step("cycloid step", _shape, start, end, before, after)


def _shape(u: Any) -> Any:
    import sympy

    return u - sympy.sin(2 * sympy.pi * u) / (2 * sympy.pi)
