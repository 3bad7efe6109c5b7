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

from math import ceil, inf, isfinite, nan, pi
from typing import NamedTuple

import numpy as np

from mbdgen.runtime.columns import coordinate_unit
from mbdgen.runtime.data import FloatArray, IntArray
from mbdgen.runtime.result import Result

POINTS = 8
"""Instants of the polynomial: errors of the integral are of order ``h^9``."""
MOST_STEPS, TOGETHER = 2000, 50
"""Steps that are looked at, and of longer motions in groups of so many."""
STIFF = 10.0
"""How much more than positions and energy show the errors of velocities may count."""
PERIODS, MOST_PERIODS = 3.0, 10.0
"""An error of the phase is that of the energy after so many periods, and at most so much."""
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


def extents(result: Result) -> FloatArray:
    """Return how far the coordinates of each one's kind move: lengths, angles, pure numbers."""
    kinds = np.array([coordinate_unit(name) for name in result.names.coordinates])
    ranges = np.ptp(result.q, axis=0)
    found = np.ones(len(kinds))
    for kind in set(kinds.tolist()):
        same = kinds == kind
        found[same] = float(ranges[same].max()) or 1.0
    return found


def from_record(result: Result, energy_balance: float) -> Estimated:
    """Estimate the error of a motion of which every step was recorded.

    Parameters
    ----------
    result : Result
        Of at least two steps.
    energy_balance : float
        Its energy balance, relative to the energy of the motion.
    """
    steps = len(result.t) - 1
    some = _chosen(steps)
    d_q, d_v = defects(result.t, result.q, result.v, result.a, some)
    return from_steps(result, steps, (result.t[some + 1], d_q, d_v), energy_balance)


def from_steps(
    result: Result,
    steps: int,
    seen: tuple[FloatArray, FloatArray, FloatArray],
    energy_balance: float,
) -> Estimated:
    """Estimate the error of a motion from some of its steps.

    Parameters
    ----------
    result : Result
        Says how far and how fast it goes.
    steps : int
        How many it has.
    seen : tuple of array
        Instants of some of them, and what they have added to errors of positions and velocities.
    energy_balance : float
        As for `from_record`.
    """
    t, d_q, d_v = seen
    size = extents(result)
    omega, period = _frequencies(result, size)
    if len(t) == 0:
        return Estimated(nan, nan, period)
    of_q = np.abs(d_q / size).max(axis=1)
    of_v = np.abs(d_v / size).max(axis=1) / omega if omega > 0.0 else np.zeros(len(d_v))
    weight = steps / len(t)
    positions, velocities = weight * float(of_q.sum()), weight * float(of_v.sum())
    shown = max(positions, energy_balance if isfinite(energy_balance) else 0.0)
    error = max(positions, min(velocities, STIFF * shown), _secular(result, omega, energy_balance))
    error = max(error, ROUND_OFF)
    worst = int(np.argmax(of_q + np.minimum(of_v, STIFF * shown)))
    return Estimated(error if isfinite(error) else inf, float(t[worst]), period)


def _secular(result: Result, omega: float, energy_balance: float) -> float:
    """Return the error of a motion whose energy is wrong: it is ahead or behind, more and more."""
    if not isfinite(energy_balance):
        return 0.0
    periods = omega * abs(float(result.t[-1] - result.t[0])) / (2.0 * pi)
    return energy_balance * min(max(periods / PERIODS, 1.0), MOST_PERIODS)


def _frequencies(result: Result, size: FloatArray) -> tuple[float, float]:
    """Return the mean frequency of a motion, and the period of its fastest coordinate."""
    speed = ((result.v / size) ** 2).sum(axis=0)
    change = ((result.a / size) ** 2).sum(axis=0)
    if not speed.sum() > 0.0:
        return 0.0, nan
    moving = speed > 1e-6 * speed.max()
    fastest = float(np.sqrt((change[moving] / speed[moving]).max()))
    mean = float(np.sqrt(change.sum() / speed.sum()))
    return mean, 2.0 * pi / fastest if fastest > 0.0 else nan


def _chosen(steps: int) -> IntArray:
    """Return which steps are looked at: all, or groups of them over the whole motion."""
    if steps <= MOST_STEPS:
        return np.arange(steps)
    groups = MOST_STEPS // TOGETHER
    first = np.linspace(0, steps - TOGETHER, groups).astype(np.int64)
    return (first[:, None] + np.arange(TOGETHER)).ravel()


def defects(
    t: FloatArray, q: FloatArray, v: FloatArray, a: FloatArray, some: IntArray
) -> tuple[FloatArray, FloatArray]:
    """Return what some steps have added to the errors of positions and of velocities."""
    points = min(POINTS, len(t))
    begin = np.clip(some - (points // 2 - 1), 0, len(t) - points)
    h = (t[some + 1] - t[some])[:, None]
    steps = np.diff(t)
    if np.ptp(steps) <= 1e-6 * abs(float(steps[0])):  # the same weights but near both ends
        kinds, which = np.unique(some - begin, return_inverse=True)
        weights = _weights(np.arange(points) - kinds[:, None].astype(float))[which]
    else:
        weights = _weights((t[begin[:, None] + np.arange(points)] - t[some, None]) / h)
    d_q, d_v = q[some + 1] - q[some], v[some + 1] - v[some]
    for k in range(points):
        part = h * weights[:, k, None]
        d_q -= part * v[begin + k]
        d_v -= part * a[begin + k]
    return d_q, d_v


def _weights(nodes: FloatArray) -> FloatArray:
    """Return the weights of the integral from 0 to 1 of the polynomial through values at nodes."""
    points = nodes.shape[1]
    powers = nodes[:, None, :] ** np.arange(points)[None, :, None]
    integrals = np.broadcast_to(1.0 / np.arange(1, points + 1), nodes.shape)
    return np.asarray(np.linalg.solve(powers, integrals[..., None])[..., 0])


def step_for(h: float, error: float, wanted: float, order: int, period: float) -> float:
    """Return a step with about the wanted error, of one digit; at most a 20th of the period."""
    longest = period / 20.0 if isfinite(period) else inf
    ideal = min(h * (wanted / max(error, ROUND_OFF)) ** (1.0 / order), longest)
    exponent = ceil(np.log10(ideal)) - 1
    digit = ideal / 10.0**exponent
    return float((5.0 if digit >= 5.0 else 2.0 if digit >= 2.0 else 1.0) * 10.0**exponent)
