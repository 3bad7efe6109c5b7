"""A function through the rows of a table."""

from collections.abc import Sequence

from mbdgen.errors import ModelError
from mbdgen.functions.base import TimeFunction, argument
from mbdgen.language.expressions.scalars import shown
from mbdgen.language.expressions.spline import spline

OUTSIDE = {"error": "natural", "straight": "natural", "hold": "level", "repeat": "periodic"}
"""What it does outside of the table, with the ends of the spline that fit."""
_MARGIN = 1e-9


def table(places: Sequence[float], values: Sequence[float], outside: str = "error") -> TimeFunction:
    """Return the cubic spline through a table: two continuous derivatives within it.

    Parameters
    ----------
    places, values : numbers
        The rows, at least three, places growing.
    outside : {"error", "straight", "hold", "repeat"}
        What it does beyond the table: refuse, go on straight (without curvature at the ends), keep
        the last value (level at the ends) or begin again (the last value must be the first).
    """
    if outside not in OUTSIDE:
        raise ModelError(f"outside of a table is {shown(outside)}.", f"Use: {', '.join(OUTSIDE)}.")
    import sympy

    x = argument()
    inside = spline(x, places, values, OUTSIDE[outside])
    if outside == "error":
        first, last = float(places[0]), float(places[-1])
        margin = _MARGIN * (last - first)  # the end of a run is hit up to rounding
        inside = sympy.Piecewise((inside, (x > first - margin) & (x < last + margin)))
    return TimeFunction(inside, "table")
