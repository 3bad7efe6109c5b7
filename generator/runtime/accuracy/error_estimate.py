r"""The error of a motion from what was recorded of it, at no further evaluation of the equations.

Recorded accelerations are those of recorded positions and velocities: so the integral of the
equations of motion over a step is known more exactly than the step took it, by the polynomial
through eight instants around it. What a step has added to the errors of positions and velocities is

.. math::
    d_q = q_1 - q_0 - \int v \, dt, \qquad d_v = v_1 - v_0 - \int a \, dt,

whatever the method: of Newmark's kind, Runge-Kutta, multistep, with a formulation, of a library.
An error of velocities becomes one of positions in the time :math:`1 / \omega`, where
:math:`\omega = \|a\| / \|v\|` is the frequency of the motion; but no more than ten times what
positions or the balance of energy show, because stiff motions forget it at once. The estimate of
the whole motion is the sum over its steps; energy that is lost or gained puts it out of phase.
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
"""Instants of the polynomial: errors of the integral are of order ``h^9``."""
FEWEST = 5
"""Instants of a smooth part of a motion, from which on its errors are looked at."""
GROUP, GROUPS = 24, 20
"""Steps that are looked at together, and how many such groups over the whole motion."""
SMOOTHINGS = 2
"""Times that errors of steps are smoothed: see `without_alternation`."""
SEEN_ROWS = 500
"""Recorded instants that say how far, and how fast, a motion goes."""
STIFF = 10.0
"""How much more than positions and energy show the errors of velocities may count."""
PHASE, MOST_PHASE = pi / 4.0, 10.0
"""Error of the position by that of the energy, for each period, and at most: see `_secular`."""
MOST_BY_ENERGY = 0.9
"""An energy that is known to be wrong by a part does not say by itself that no digit is left."""
STILL = 1e-8
"""What moves by less than this part of its size is at rest."""
ROUND_OFF = 1e-15
"""Relative error that no estimate is below."""


class Estimated(NamedTuple):
    """What the steps of a motion have added to its errors, relative to how far it goes.

    Attributes
    ----------
    error : float
        Of the whole motion.
    worst_time : float
        Where a step added most.
    shortest_period : float
        Of the coordinate whose accelerations are largest beside its velocities.
    """

    error: float
    worst_time: float
    shortest_period: float


class SampledMotion(NamedTuple):
    """Steps that were looked at: where they end, and what they added to positions and velocities.

    Attributes
    ----------
    t : array, shape (n,)
        Ends of the steps.
    d_q, d_v : array, shape (n, n_q)
        What they have added to the errors.
    part : float
        Which part of all steps can be looked at.
    """

    t: FloatArray
    d_q: FloatArray
    d_v: FloatArray
    part: float = 1.0


class SampledSeries(NamedTuple):
    """Ends of single steps that follow one another, at least in groups."""

    t: FloatArray
    q: FloatArray
    v: FloatArray
    a: FloatArray


def thinned(rows: FloatArray) -> FloatArray:
    """Return some rows of many, with the first and the last one."""
    every = max(1, len(rows) // SEEN_ROWS)
    return rows if every == 1 else np.concatenate([rows[::every], rows[-1:]])


def extents(q: FloatArray, names: Sequence[str]) -> tuple[FloatArray, bool]:
    """Return how far the coordinates of each one's kind move, and whether anything moves at all.

    Kinds are lengths, angles, and pure numbers.
    """
    return extents_between(q.min(axis=0), q.max(axis=0), names)


def extents_between(
    lowest: FloatArray, highest: FloatArray, names: Sequence[str]
) -> tuple[FloatArray, bool]:
    """Do so for the least and the largest value of each coordinate."""
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
    """Estimate the error of a motion from some of its steps.

    Parameters
    ----------
    result : Result
        Says how long it goes on.
    rows : SampledSeries
        Say how far and how fast it goes, in any order.
    seen : SampledMotion
        The steps that were looked at.
    steps : int
        How many it has.
    energy_balance : float
        Relative to the energy of the motion.
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
    """Return the error of a motion whose energy is wrong: it is ahead or behind, more and more.

    With an energy that is wrong by the part e of it velocities are wrong by e / 2. An error that
    grows steadily is half of that on the way, which is 2 pi amplitudes in each period; an amplitude
    is half of the extent. That makes e pi / 4 for each period.
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
    """Return what steps of a motion have added to its errors: of all, or of groups of them.

    Parameters
    ----------
    series : SampledSeries
        The ends of its steps; where steps are left out, the next interval is longer than all.
    breaks : sequence of float
        Instants at which accelerations jump; what was recorded there is what was before.
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
    """Return first and last row of the parts between breaks that are long enough."""
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
    """Divide parts into groups, of which some are looked at.

    Yields the first row of each, how many rows it has, and the first and the last of its steps that
    count: those that have neighbours, unless the part begins or ends there.
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
    """Return what steps have added to the errors of positions and of velocities.

    Parameters
    ----------
    t : array, shape (groups, rows)
        Ends of steps that follow one another.
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
    """Return errors of steps that follow one another, without what the next step takes back.

    A stiff part of a motion that steps do not resolve goes up and down from one to the next; such
    errors do not add up. What is alone or has one sign keeps its sum.
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

    They are those of the polynomial through the values at the nearest rows.
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
    """Return a step with about the wanted error, of one digit; at most a 20th of the period."""
    longest = period / 20.0 if isfinite(period) and period > 0.0 else inf
    ideal = min(h * (wanted / max(error, ROUND_OFF)) ** (1.0 / order), longest)
    if not (0.0 < ideal < inf):  # a motion that has blown up
        return h
    exponent = ceil(np.log10(ideal)) - 1
    digit = ideal / 10.0**exponent
    return float((5.0 if digit >= 5.0 else 2.0 if digit >= 2.0 else 1.0) * 10.0**exponent)
