"""Cubic spline interpolation of a table, as an expression with two continuous derivatives."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from mbdgen.errors import ModelError
from mbdgen.language.expressions.scalars import shown

ENDS = ("natural", "level", "periodic")


def spline(x: Any, places: Sequence[float], values: Sequence[float], ends: str = "natural") -> Any:
    """Return the cubic spline through a table, evaluated at the expression `x`.

    For drivers, loads, cam profiles, spring laws: ``spline(m.t, (0, 1, 2), (0, 0.3, 0))``,
    ``curve=lambda s: (spline(s, ...), spline(s, ...))``.

    Parameters
    ----------
    x : expression
        The argument.
    places, values : sequence of float
        Abscissae, strictly increasing, and ordinates of at least three points.
    ends : {"natural", "level", "periodic"}
        End conditions and extrapolation: zero curvature, continued linearly ("natural"); zero
        slope, continued by the last value ("level"); or periodic, where the last value must equal
        the first.
    """
    knots, heights = _table(places, values, ends)
    from scipy.interpolate import CubicSpline

    found = CubicSpline(knots, heights, bc_type="clamped" if ends == "level" else ends)
    coefficients = list(found.c.T[:, ::-1])  # of 1, u, u^2, u^3 from each knot
    starts = list(knots[:-1])
    if ends != "periodic":
        (before, after), (y0, y1) = found(knots[[0, -1]], 1), heights[[0, -1]]
        coefficients = [[y0, before, 0, 0], *coefficients, [y1, after, 0, 0]]
        starts = [knots[0], *starts, knots[-1]]
        borders = knots
    else:
        x, borders = _wrapped(x, knots), knots[1:-1]
    u = x - _chosen(x, borders, starts)
    a, b, c, d = (_chosen(x, borders, [row[k] for row in coefficients]) for k in range(4))
    return a + u * (b + u * (c + u * d))


def _chosen(x: Any, borders: Any, numbers: Sequence[float]) -> Any:
    """Return the index of the interval containing x; its derivative is zero."""
    from mbdgen.language.expressions.piecewise_index import Chosen

    return Chosen(x, *map(float, borders), *map(float, numbers))


def _wrapped(x: Any, knots: Any) -> Any:
    """Return x shifted by whole periods into the range of the table."""
    import sympy

    middle, period = float(knots[0] + knots[-1]) / 2, float(knots[-1] - knots[0])
    phase = 2 * np.pi * (x - middle) / period
    return middle + period / (2 * np.pi) * sympy.atan2(sympy.sin(phase), sympy.cos(phase))


def _table(places: Any, values: Any, ends: str) -> tuple[Any, Any]:
    """Return the table as arrays, or raise an error if it is invalid."""
    if ends not in ENDS:
        raise ModelError(f"ends of a spline is {shown(ends)}.", f"Use one of: {', '.join(ENDS)}.")
    try:
        knots, heights = (np.asarray(x, float) for x in (places, values))
    except (TypeError, ValueError) as error:
        raise ModelError("The table of a spline has no numbers.", "Give two lists.") from error
    if knots.ndim != 1 or knots.shape != heights.shape or len(knots) < 3:
        raise ModelError(
            f"A spline has {knots.size} abscissae and {heights.size} values.",
            "Give as many of both, at least three.",
        )
    if not np.isfinite([knots, heights]).all() or not (np.diff(knots) > 0).all():
        raise ModelError(
            "The abscissae of a spline do not increase.", "Give finite numbers in order."
        )
    if ends == "periodic" and heights[0] != heights[-1]:
        raise ModelError(
            f"A periodic spline begins with {heights[0]:g} and ends with {heights[-1]:g}.",
            "Give the first value once more at the end.",
        )
    return knots, heights
