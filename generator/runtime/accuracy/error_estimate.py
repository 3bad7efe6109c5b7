r"""Global error estimate of a motion from its records, without further evaluations.

Recorded accelerations are those of recorded positions and velocities: so the integral of the
equations of motion over a step is known more accurately than from the step itself, by the
interpolation polynomial through eight instants around it. The local errors (defects) of a step are

.. math::
    d_q = q_1 - q_0 - \int v \, dt, \qquad d_v = v_1 - v_0 - \int a \, dt,

for any method: Newmark type, Runge-Kutta, multistep, with a formulation, of a library. An error of
velocities becomes one of positions in the time :math:`1 / \omega`, where
:math:`\omega = \|a\| / \|v\|` is the frequency of the motion; but it is limited to
ten times the error shown by positions or the energy balance, because stiff motions damp it at once.
The global estimate is the sum over the steps; energy loss or gain adds a phase error.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from math import ceil, inf, isfinite, nan, pi
from typing import NamedTuple

import numpy as np

from mbdgen.runtime.results.result import Result
from mbdgen.runtime.results.result_series import coordinate_unit
from mbdgen.runtime.system.system_data import FloatArray

POINTS = 8
"""Number of interpolation points: errors of the integral are of order ``h^9``."""
FEWEST = 5
"""Smallest number of instants of a smooth part of a motion whose errors are estimated."""
GROUP, GROUPS = 24, 20
"""Number of consecutive steps in a group, and of groups over the whole motion."""
SMOOTHINGS = 2
"""Number of smoothings of local errors: see `without_alternation`."""
SEEN_ROWS = 500
"""Number of recorded instants used for amplitude and frequency of a motion."""
STIFF = 10.0
"""Limit of the velocity errors relative to those of positions and energy."""
PHASE, MOST_PHASE = pi / 4.0, 10.0
"""Phase error of the position per energy error, for each period, and its limit: see `_secular`."""
MOST_BY_ENERGY = 0.9
"""Limit of the estimate from the energy error alone: it does not prove that no digit is left."""
STILL = 1e-8
"""Change relative to its size below which a coordinate is at rest."""
ROUND_OFF = 1e-15
"""Lower bound of the estimated relative error."""


class Estimated(NamedTuple):
    """Estimated error of a motion, relative to its amplitude, from the local errors of its steps.

    Attributes
    ----------
    error : float
        Global relative error.
    worst_time : float
        Time of the largest local error.
    shortest_period : float
        Period of the coordinate with the largest ratio of accelerations to velocities.
    """

    error: float
    worst_time: float
    shortest_period: float


class SampledMotion(NamedTuple):
    """Sampled steps: their ends, and their local errors of positions and velocities.

    Attributes
    ----------
    t : array, shape (n,)
        Ends of the steps.
    d_q, d_v : array, shape (n, n_q)
        Local errors.
    part : float
        Fraction of all steps that can be sampled.
    """

    t: FloatArray
    d_q: FloatArray
    d_v: FloatArray
    part: float = 1.0


class SampledSeries(NamedTuple):
    """Ends of single steps, consecutive at least in groups."""

    t: FloatArray
    q: FloatArray
    v: FloatArray
    a: FloatArray


def thinned(rows: FloatArray) -> FloatArray:
    """Return a subset of many rows, with the first and the last one."""
    every = max(1, len(rows) // SEEN_ROWS)
    return rows if every == 1 else np.concatenate([rows[::every], rows[-1:]])


def extents(q: FloatArray, names: Sequence[str]) -> tuple[FloatArray, bool]:
    """Return the amplitudes of coordinates by kind, and whether anything moves at all.

    Kinds are lengths, angles, and dimensionless numbers.
    """
    return extents_between(q.min(axis=0), q.max(axis=0), names)


def extents_between(
    lowest: FloatArray, highest: FloatArray, names: Sequence[str]
) -> tuple[FloatArray, bool]:
    """The same for the smallest and the largest value of each coordinate."""
    kinds = np.array([coordinate_unit(name) for name in names])
    ranges, sizes = highest - lowest, np.maximum(np.abs(lowest), np.abs(highest))
    found, moves = np.ones(len(kinds)), False
    for kind in set(kinds.tolist()):
        same = kinds == kind
        least = STILL * (float(sizes[same].max()) if kind == "m" else 1.0)
        largest = float(ranges[same].max())
        moves = moves or largest > least
        found[same] = max(largest, least) or 1.0
    return found, moves


def estimate(
    result: Result, rows: SampledSeries, seen: SampledMotion, steps: int, energy_balance: float
) -> Estimated:
    """Estimate the global error of a motion from some of its steps.

    Parameters
    ----------
    result : Result
        Result with the duration of the motion.
    rows : SampledSeries
        Instants for its amplitude and frequency, in any order.
    seen : SampledMotion
        Sampled steps.
    steps : int
        Number of steps of the motion.
    energy_balance : float
        Energy error relative to the energy of the motion.
    """
    size, _ = extents(rows.q, result.names.coordinates)
    omega, period = _frequencies(rows, size)
    if len(seen.t) == 0:
        return Estimated(nan, nan, period)
    of_q = np.abs(seen.d_q / size).max(axis=1)
    of_v = np.abs(seen.d_v / size).max(axis=1) / omega if omega > 0.0 else np.zeros(len(seen.t))
    weight = steps / len(seen.t)
    positions, velocities = weight * float(of_q.sum()), weight * float(of_v.sum())
    shown = max(positions, energy_balance if isfinite(energy_balance) else 0.0)
    error = max(positions, min(velocities, STIFF * shown), _secular(result, omega, energy_balance))
    error = max(error, ROUND_OFF)
    worst = int(np.argmax(of_q + np.minimum(of_v, STIFF * shown)))
    return Estimated(error if isfinite(error) else inf, float(seen.t[worst]), period)


def _secular(result: Result, omega: float, energy_balance: float) -> float:
    """Return the phase error that grows with an energy error (secular error).

    With a relative energy error e velocities have the relative error e / 2. An error that grows
    steadily is on average half of that, on a path of 2 pi amplitudes in each period; an amplitude
    is half of the extent. This gives e pi / 4 for each period.
    """
    if not isfinite(energy_balance):
        return 0.0
    periods = omega * abs(float(result.t[-1] - result.t[0])) / (2.0 * pi)
    error = energy_balance * min(max(PHASE * periods, 1.0), MOST_PHASE)
    return min(error, max(MOST_BY_ENERGY, energy_balance))


def _frequencies(rows: SampledSeries, size: FloatArray) -> tuple[float, float]:
    """Return the mean frequency of a motion, and the period of its fastest coordinate."""
    speed = ((rows.v / size) ** 2).sum(axis=0)
    change = ((rows.a / size) ** 2).sum(axis=0)
    if not speed.sum() > 0.0:
        return 0.0, nan
    moving = speed > 1e-6 * speed.max()
    fastest = float(np.sqrt((change[moving] / speed[moving]).max()))
    mean = float(np.sqrt(change.sum() / speed.sum()))
    return mean, 2.0 * pi / fastest if fastest > 0.0 else nan


def looked_at(series: SampledSeries, breaks: Sequence[float] = ()) -> SampledMotion:
    """Return the local errors of the steps of a motion: of all, or of groups of them.

    Parameters
    ----------
    series : SampledSeries
        Ends of its steps; where steps are omitted, the next interval is longer than all steps.
    breaks : sequence of float
        Instants of discontinuous accelerations; the values recorded there are those before.
    """
    found = list(_groups(_smooth(series.t, breaks)))
    width = series.q.shape[1]
    if not found:
        return SampledMotion(np.zeros(0), np.zeros((0, width)), np.zeros((0, width)), 0.0)
    ends, of_q, of_v = [], [], []
    for count in {rows for _, rows, _, _ in found}:
        same = [group for group in found if group[1] == count]
        rows = np.array([group[0] for group in same])[:, None] + np.arange(count)
        d_q, d_v = map(without_alternation, defects(*(part[rows] for part in series)))
        steps = np.arange(count - 1)
        counts = np.array([(steps >= group[2]) & (steps < group[3]) for group in same])
        ends.append(series.t[rows[:, 1:]][counts])
        of_q.append(d_q[counts])
        of_v.append(d_v[counts])
    return SampledMotion(np.concatenate(ends), np.concatenate(of_q), np.concatenate(of_v))


def _smooth(t: FloatArray, breaks: Sequence[float]) -> list[tuple[int, int]]:
    """Return first and last row of the smooth parts between breaks that are long enough."""
    if not len(breaks):
        parts = [(0, len(t) - 1)]
    else:
        forward = 1.0 if t[-1] >= t[0] else -1.0
        at = forward * np.unique(breaks)
        last = np.searchsorted(forward * t, np.sort(at), side="right") - 1
        begins, ends = [0, *(last + 1).tolist()], [*last.tolist(), len(t) - 1]
        parts = list(zip(begins, ends, strict=True))
    return [(first, last) for first, last in parts if last - first >= FEWEST - 1]


def _groups(parts: list[tuple[int, int]]) -> Iterator[tuple[int, int, int, int]]:
    """Divide parts into groups, of which some are sampled.

    Yields the first row of each, its number of rows, and the first and the last of its steps that
    count: those with neighbours, unless the part begins or ends there.
    """
    before, after = POINTS // 2 - 1, POINTS // 2
    rows = GROUP + before + after + 1
    found = []
    for first, last in parts:
        if last - first + 1 <= rows:
            found.append((first, last - first + 1, 0, last - first))
            continue
        number = ceil((last - first - before - after) / GROUP)
        if len(parts) == 1:
            number = min(number, GROUPS)
        for begin in np.linspace(first, last + 1 - rows, number).astype(int).tolist():
            left = 0 if begin == first else before
            right = rows - 1 if begin == last + 1 - rows else rows - 1 - after
            found.append((begin, rows, left, right))
    every = max(1, len(found) // GROUPS)
    yield from found[::every]


def defects(
    t: FloatArray, q: FloatArray, v: FloatArray, a: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Return the local errors (defects) of steps in positions and velocities.

    Parameters
    ----------
    t : array, shape (groups, rows)
        Ends of consecutive steps.
    q, v, a : array, shape (groups, rows, n_q)
        The motion there.
    """
    h = np.diff(t, axis=1)
    mean = (t[:, -1:] - t[:, :1]) / h.shape[1]
    if np.abs(h - mean).max() <= 1e-6 * np.abs(mean).max():
        weights = _equal_weights(t.shape[1]) * mean[:, :, None]
    else:
        weights = _weights(t) * h[:, :, None]
    return np.diff(q, axis=1) - weights @ v, np.diff(v, axis=1) - weights @ a


def without_alternation(errors: FloatArray) -> FloatArray:
    """Return errors of consecutive steps, without the part cancelled by the next step.

    A stiff component that steps do not resolve alternates from one to the next; such errors do not
    accumulate. Single errors, and those of one sign, keep their sum.
    """
    for _ in range(SMOOTHINGS):
        if errors.shape[1] < 2:
            break
        parts = 0.25 * errors
        errors = 2.0 * parts
        errors[:, 1:] += parts[:, :-1]
        errors[:, :-1] += parts[:, 1:]
        errors[:, 0] += parts[:, 0]
        errors[:, -1] += parts[:, -1]
    return errors


@lru_cache(maxsize=64)
def _equal_weights(rows: int) -> FloatArray:
    """Return the weights of all rows in the integrals over steps of length 1."""
    return _weights(np.arange(rows, dtype=float)[None])[0]


def _weights(t: FloatArray) -> FloatArray:
    """Return the weights of all rows in the mean over every step.

    They are those of the interpolation polynomial through the nearest rows.
    """
    groups, rows = t.shape
    points = min(POINTS, rows)
    steps = np.arange(rows - 1)
    begin = np.clip(steps - (points // 2 - 1), 0, rows - points)
    near = begin[:, None] + np.arange(points)
    nodes = (t[:, near] - t[:, :-1, None]) / np.diff(t, axis=1)[:, :, None]
    powers = nodes[:, :, None, :] ** np.arange(points)[:, None]
    integrals = np.broadcast_to(1.0 / np.arange(1, points + 1), nodes.shape)
    solved = np.linalg.solve(powers, integrals[..., None])[..., 0]
    weights = np.zeros((groups, rows - 1, rows))
    weights[:, steps[:, None], near] = solved
    return weights


def step_for(h: float, error: float, wanted: float, order: int, period: float) -> float:
    """Return a step size for about the wanted error, to one digit; at most 1/20 of the period."""
    longest = period / 20.0 if isfinite(period) and period > 0.0 else inf
    ideal = min(h * (wanted / max(error, ROUND_OFF)) ** (1.0 / order), longest)
    if not (0.0 < ideal < inf):  # a diverged motion
        return h
    exponent = ceil(np.log10(ideal)) - 1
    digit = ideal / 10.0**exponent
    return float((5.0 if digit >= 5.0 else 2.0 if digit >= 2.0 else 1.0) * 10.0**exponent)
