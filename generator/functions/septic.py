"""Smooth step: polynomial of degree 7 (septic)."""

from typing import Any

from mbdgen.functions.base import TimeFunction
from mbdgen.functions.step import step


def septic(start: Any, end: Any, before: Any = 0.0, after: Any = 1.0) -> TimeFunction:
    r"""Return a step whose first three derivatives are zero at both ends.

    .. math:: s(u) = 35 u^4 - 84 u^5 + 70 u^6 - 20 u^7

    As a driver it has a continuous jerk.
    """
    return step("septic step", _shape, start, end, before, after)


def _shape(u: Any) -> Any:
    return u**4 * (35 - 84 * u + 70 * u**2 - 20 * u**3)
