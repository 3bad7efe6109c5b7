"""Rise and return: polynomial of degree 7 with an extremum between two end values."""

from typing import Any

from mbdgen.functions.base import TimeFunction, argument, check_order, scalars
from mbdgen.functions.quintic import quintic_shape, quintic_slope
from mbdgen.functions.step import held


def rise_and_return(
    start: Any, top: Any, end: Any, before: Any = 0.0, peak: Any = 1.0, after: Any = 0.0
) -> TimeFunction:
    r"""Return the polynomial of degree 7 with an extremum `peak` at `top`.

    Value, slope and curvature at both ends are those of the quintic step s; the added term has a
    triple root there, and its two coefficients follow from the extremum:

    .. math::
        f = f_0 + (f_1 - f_0)\, s(u) + w(u)\, (\alpha + \beta u), \qquad w = u^3 (1 - u)^3,
        \qquad f(u_m) = f_m, \quad f'(u_m) = 0

    Parameters
    ----------
    start, top, end : scalars
        Beginning, extremum and end.
    before, peak, after : scalars
        Its values there; constant outside.
    """
    name = "rise and return"
    x0, xm, x1 = scalars(name, start=start, top=top, end=end)
    f0, fm, f1 = scalars(name, before=before, peak=peak, after=after)
    check_order(name, start=x0, top=xm, end=x1)
    u, at = (argument() - x0) / (x1 - x0), (xm - x0) / (x1 - x0)
    rise, w, w_slope = f1 - f0, _flat(at), _flat_slope(at)
    height = (fm - f0 - rise * quintic_shape(at)) / w
    beta = -(rise * quintic_slope(at) + w_slope * height) / w
    alpha = height - beta * at
    inside = f0 + rise * quintic_shape(u) + _flat(u) * (alpha + beta * u)
    return held(name, inside, x0, x1, f0, f1)


def _flat(u: Any) -> Any:
    return u**3 * (1 - u) ** 3


def _flat_slope(u: Any) -> Any:
    return 3 * u**2 * (1 - u) ** 2 * (1 - 2 * u)
