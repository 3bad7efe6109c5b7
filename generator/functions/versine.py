"""Smooth step: half a wave of the cosine (versine, haversine)."""

from typing import Any

from mbdgen.functions.base import TimeFunction
from mbdgen.functions.step import step


def versine(start: Any, end: Any, before: Any = 0.0, after: Any = 1.0) -> TimeFunction:
    r"""Return a step whose slope is zero at both ends; its curvature jumps there.

    .. math:: s(u) = \tfrac12 (1 - \cos \pi u)
    """
    return step("versine step", _shape, start, end, before, after)


def _shape(u: Any) -> Any:
    import sympy

    return (1 - sympy.cos(sympy.pi * u)) / 2
