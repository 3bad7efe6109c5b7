"""Interpolation of a table by a cubic spline."""

from collections.abc import Sequence

from mbdgen.errors import ModelError
from mbdgen.functions.base import TimeFunction, argument
from mbdgen.language.expressions.scalars import shown
from mbdgen.language.expressions.spline import spline

OUTSIDE = {"error": "natural", "straight": "natural", "hold": "level", "repeat": "periodic"}
"""Extrapolation options, with the matching end conditions of the spline."""
_MARGIN = 1e-9


def table(places: Sequence[float], values: Sequence[float], outside: str = "error") -> TimeFunction:
    """Return the cubic spline through a table: two continuous derivatives within it.

    Parameters
    ----------
    places, values : numbers
        The rows, at least three, `places` strictly increasing.
    outside : {"error", "straight", "hold", "repeat"}
        Extrapolation: an error, linear (zero curvature at the ends), constant (zero slope at the
        ends) or periodic (the last value must equal the first).
    """
    if outside not in OUTSIDE:
        raise ModelError(f"outside of a table is {shown(outside)}.", f"Use: {', '.join(OUTSIDE)}.")
    import sympy

    x = argument()
    inside = spline(x, places, values, OUTSIDE[outside])
    if outside == "error":
        first, last = float(places[0]), float(places[-1])
        margin = _MARGIN * (last - first)  # the end time of a run is reached up to round-off
        inside = sympy.Piecewise((inside, (x > first - margin) & (x < last + margin)))
    return TimeFunction(inside, "table")
