"""Where the order that a study sees is not within 0.1 of the claimed one, and why."""

import math
from dataclasses import dataclass
from fnmatch import fnmatchcase


@dataclass(frozen=True)
class Band:
    """Orders that are accepted instead.

    Attributes
    ----------
    scheme, problem : str
        Patterns of what it is said of.
    low, high : float
        The band, as wide as what has been seen in it.
    reason : str
        Why.
    """

    scheme: str
    problem: str
    low: float
    high: float
    reason: str


_SHORT = "no room between steps that resolve the motion and rounding errors; test_tableau has order"
_SPIN = (
    "errors of its own order cancel in the fast, nearly steady spin: 3.9 down to rounding errors"
)
_SMALL = "the leading coefficient is small: at these steps the next term is the larger one"
_CHOICES = "choices of coordinates or of projections change at other instants for every step"
_NEWTON = "the tolerance of Newton's method is reached before two orders are within 0.1"
_STIFF = "fast forces of the formulation are not resolved: between the order of stages and its own"
BANDS = (
    Band("dopri5 + matrix-r", "*", 3.8, math.inf, _CHOICES),
    Band("cd-snap + ma*", "top", 3.6, 4.3, _CHOICES),
    Band("sdirk + baumgarte", "top", 3.8, 4.1, _NEWTON),
    Band("sdirk + penalty", "top", 3.8, 4.1, _NEWTON),
    Band("dopri5*", "*", 4.9, math.inf, _SHORT),
    Band("dop853*", "*", 7.9, math.inf, _SHORT),
    Band("heun", "bricard", 1.9, 4.1, "own projections of a symmetric motion: errors of h^4 only"),
    Band("cd-jerk", "top", 2.9, 4.0, _SPIN),
    Band("cd-jerk + alf1", "top", 2.9, 4.0, _SPIN),
    Band("wilson*", "top", 1.9, 3.0, _SMALL),
    Band("backward-euler + penalty", "bricard", 1.0, 1.9, _SMALL),
    Band("euler + penalty", "bricard", 0.6, 1.1, "errors of both signs, of the penalty and of h"),
    Band("rk4 + matrix-r", "top", 3.8, 4.1, _CHOICES),
    Band("rk4 + index1 + nullspace", "pendulum", 3.6, 4.5, _CHOICES),
    Band("rk4 + index1 + nullspace", "top", 3.9, 5.4, _CHOICES),
    Band("sdirk + maggi-frozen", "A02", 3.7, 4.1, "a frozen basis errs by one more order"),
    Band("sdirk + staggered", "*", 1.8, 4.8, _STIFF),
)


def band(text: str, problem: str, order: int) -> tuple[float, float]:
    """Return the band of orders that confirm the claimed one."""
    for known in BANDS:
        if fnmatchcase(text, known.scheme) and fnmatchcase(problem, known.problem):
            return known.low, known.high
    return order - 0.1, order + 0.1
