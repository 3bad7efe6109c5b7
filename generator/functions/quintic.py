"""Smooth step: polynomial of degree 5 (quintic)."""

from typing import Any

from mbdgen.functions.base import TimeFunction
from mbdgen.functions.step import step


def quintic(start: Any, end: Any, before: Any = 0.0, after: Any = 1.0) -> TimeFunction:
    r"""Return a step whose slope and curvature are zero at both ends.

    .. math:: s(u) = 10 u^3 - 15 u^4 + 6 u^5

    The motion of a driver from rest to rest: its acceleration is continuous.

    Parameters
    ----------
    start, end : scalars
        Interval of the step.
    before, after : scalars
        Its values at the ends and outside.
    """
    return step("quintic step", quintic_shape, start, end, before, after)


def quintic_shape(u: Any) -> Any:
    """Return s(u)."""
    return u**3 * (10 - 15 * u + 6 * u**2)


def quintic_slope(u: Any) -> Any:
    """Return s'(u)."""
    return 30 * u**2 * (1 - u) ** 2
