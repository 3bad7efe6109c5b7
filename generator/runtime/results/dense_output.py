"""Dense output: interpolation of the motion between recorded instants."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from mbdgen.errors import OptionError
from mbdgen.runtime.results.hermite_interpolation import quintic
from mbdgen.runtime.results.result import Result
from mbdgen.runtime.system.system_data import FloatArray


class DenseOutput(NamedTuple):
    """Positions, velocities and accelerations at chosen instants.

    Attributes
    ----------
    t : array, shape (n_t,) or ()
        The instants.
    q, v, a : array, shape (n_t, n_q) or (n_q,)
        Coordinates and their derivatives in the order of ``result.names.coordinates``.
    """

    t: FloatArray
    q: FloatArray
    v: FloatArray
    a: FloatArray


def between(result: Result, t: float | Sequence[float]) -> DenseOutput:
    """Interpolate by quintic Hermite polynomials through ``q, v, a`` of neighbouring instants.

    Recorded instants reproduce the recorded values, up to round-off. In between the error in ``q``
    is of order 6 in their distance, so with every step recorded a method of order up to 5 keeps its
    order. Orientation coordinates are NaN between instants with different charts
    (`Result.switches`).
    """
    instants, known = np.asarray(t, float), result.t
    if len(known) < 2:
        raise OptionError("There are no two instants to interpolate between.", "Record more.")
    direction = 1.0 if known[-1] > known[0] else -1.0
    low, high = sorted((known[0], known[-1]))
    if not ((low <= instants) & (instants <= high)).all():
        raise OptionError(
            f"Some of the instants are outside the recorded motion, {low:g} to {high:g} s.",
            "Choose others, or simulate longer.",
        )
    right = np.clip(np.searchsorted(direction * known, direction * instants), 1, len(known) - 1)
    left = right - 1
    h = (known[right] - known[left])[..., None]
    s = (instants - known[left])[..., None] / h
    ends = ((result.q[side], result.v[side], result.a[side]) for side in (left, right))
    q, v, a = quintic(h, s, *ends)
    for switch in result.switches:
        if not switch.rebased:
            # No interpolation between different charts of one orientation; records ignore bases.
            begun, ended = (
                direction * (switch.t - known[left]),
                direction * (known[right] - switch.t),
            )
            across = (begun >= 0.0) & (ended > 0.0) & (instants != known[left])
            for array in (q, v, a):
                array[across & (instants != known[right]), switch.first : switch.last] = np.nan
    return DenseOutput(instants, q, v, a)
