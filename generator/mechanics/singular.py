"""Singular positions along a prescribed motion: time and kind (dead point, bifurcation)."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.optimize import minimize_scalar

from mbdgen.mechanics.orientation_failures import failing
from mbdgen.mechanics.prescribed_motion import Guided, PrescribedState, some
from mbdgen.runtime.monitors.path_limits import Ranges
from mbdgen.runtime.results.hermite_interpolation import quintic

SUSPECT = 0.3
"""Local minima below this fraction of the largest value along the motion are refined."""
SINGULAR = 1e-5
"""Value at a minimum, relative to the largest, below which it is a singular position."""
CLOSE = 1e-9
"""Tolerance of its location, as a fraction of the interval between two instants."""

MOST = 60
"""Number of positions evaluated for that."""

DEAD_POINT = "dead point"
BIFURCATION = "bifurcation"
UNKNOWN = "singular position"
PATH_END = "position at the end of a path"


@dataclass(frozen=True)
class Singular:
    """Singular position of a prescribed motion.

    Attributes
    ----------
    t : float
        Time.
    kind : str
        ``dead point``: the drivers do not determine the velocities and may not be able to drive the
        mechanism through. ``bifurcation``: the constraint Jacobian itself loses rank, the mechanism
        may change to another branch. A coordinate singularity of a body is reported as such; it is
        no property of the mechanism and does not occur in other coordinates. ``singular position``:
        drivers have been eliminated, and the constraints without them are not known.
    """

    t: float
    kind: str


def singular_positions(
    guided: Guided, places: Sequence[PrescribedState], rank: int
) -> tuple[Singular, ...]:
    """Locate minima of the distance from singularity between recorded positions."""
    values = np.array([guided.margin(place, rank) for place in places])
    found: list[PrescribedState] = []
    for k in range(len(places)):
        low, high = max(k - 1, 0), min(k + 1, len(places) - 1)
        dip = values[k] <= values[low] and values[k] <= values[high]
        if low == high or not dip or values[k] > SUSPECT * values.max():
            continue
        bottom, value = _bottom(guided, places[low], places[high], rank)
        if value > SINGULAR or (found and _near(found[-1].t, bottom.t, places)):
            continue
        found.append(bottom)
    if not found:
        return ()
    passive_rank = max(guided.passive(place).rank for place in some(places))
    return tuple(Singular(place.t, kind(guided, place, passive_rank)) for place in found)


def kind(guided: Guided, place: PrescribedState, passive_rank: int) -> str:
    """Classify a singular position: bifurcation, dead point or coordinate singularity.

    At a coordinate singularity of an orientation nothing is known about the mechanism, nor at the
    end of the path of a moving point.
    """
    if Ranges(guided.system).ended(place.q):
        return PATH_END
    attitude = failing(guided.system, place.t, place.q)
    if attitude is not None:
        return f"place where coordinates '{attitude.body.kind}' of body '{attitude.name}' fail"
    if len(guided.system.data.moved):
        return UNKNOWN
    values = guided.passive(place).singular_values
    branches = passive_rank > 0 and values[passive_rank - 1] <= 10.0 * SINGULAR
    return BIFURCATION if branches else DEAD_POINT


def _near(one: float, other: float, places: Sequence[PrescribedState]) -> bool:
    return abs(one - other) <= 1e-3 * abs(places[1].t - places[0].t)


def _bottom(
    guided: Guided, start: PrescribedState, end: PrescribedState, rank: int
) -> tuple[PrescribedState, float]:
    """Minimise the distance from singularity between two positions, interpolated as guesses."""
    h = end.t - start.t

    def at(t: float) -> PrescribedState:
        q, v, a = quintic(h, (t - start.t) / h, start[1:], end[1:])
        return PrescribedState(t, guided.position(t, q), v, a)

    best = [(guided.margin(place, rank), place) for place in (start, end)]

    def value(t: float) -> float:
        place = at(float(t))
        best.append((guided.margin(place, rank), place))
        return best[-1][0]

    bounds = sorted((start.t, end.t))
    options = {"xatol": CLOSE * abs(h), "maxiter": MOST}
    minimize_scalar(value, bounds=bounds, method="bounded", options=options)
    smallest, place = min(best, key=lambda one: one[0])
    return place, smallest
