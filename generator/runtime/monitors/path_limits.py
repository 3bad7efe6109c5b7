"""Path limits: events where a moving point reaches the end of its path."""

from collections.abc import Iterator
from functools import partial

import numpy as np

from mbdgen.runtime.monitors.events import Knot, Watch
from mbdgen.runtime.system.system import System
from mbdgen.runtime.system.system_data import FloatArray

MARGIN = 1e-9
"""Tolerance relative to the path: a point may rest at its very end, despite round-off."""


class Ranges:
    """Path limits of a system.

    Parameters
    ----------
    system : System
        System with its current parameters.
    """

    def __init__(self, system: System) -> None:
        limits = system.data.ranges
        self._names = [system.names.coordinates[k] for k in limits[:, 0]]
        self._at = limits[:, 0]
        self._low, self._high = (system.work.p[limits[:, k]] for k in (1, 2))
        self._margin = MARGIN * (self._high - self._low)

    def __bool__(self) -> bool:
        return len(self._at) > 0

    def left(self, q: FloatArray) -> int | None:
        """Return the first row of coordinates in which a point is beyond its path."""
        rows = np.flatnonzero((self._within(q) < 0.0).any(axis=1))
        return int(rows[0]) if len(rows) else None

    def beyond(self, q: FloatArray) -> str:
        """Return the point farthest beyond its path; empty if there is none."""
        distance = self._within(q[None])[0]
        k = int(distance.argmin()) if len(distance) else 0
        if not len(distance) or distance[k] >= 0.0:
            return ""
        return (
            f"the point '{self._names[k]}' is at {q[self._at[k]]:.10g} m, beyond "
            f"{self._low[k]:g} to {self._high[k]:g} m"
        )

    def distance(self, q: FloatArray) -> float:
        """Return the smallest distance of the points to their path limits; negative beyond."""
        return float(self._within(q[None]).min(initial=np.inf))

    def ending(self, t: float, q: FloatArray) -> str:
        """Return a message for a run that stops with a point at the end of its path."""
        s = q[self._at]
        k = int(self._within(q[None])[0].argmin())
        end = min(self._low[k], self._high[k], key=lambda border: abs(border - s[k]))
        return self._message(k, float(end), t)

    def ended(self, q: FloatArray) -> bool:
        """Whether a point has reached an end of its path."""
        distance = self._within(q[None])[0]
        return bool((distance <= 1e3 * self._margin).any())

    def watches(self, first: int) -> Iterator[Watch]:
        """Yield terminal events, one for each end of each path, with indices from ``first`` on."""
        for k in range(len(self._at)):
            for side, end in enumerate((self._low[k], self._high[k])):
                distance, message = (
                    partial(self._distance, k, side),
                    partial(self._message, k, float(end)),
                )
                yield Watch(distance, first + 2 * k + side, True, -1.0, message=message)

    def _message(self, k: int, end: float, t: float) -> str:
        """Return the message for a point at the end of its path."""
        return (
            f"The point '{self._names[k]}' leaves its path of {self._low[k]:g} to "
            f"{self._high[k]:g} m at t = {t:g} s, at {end:g} m. Make the path longer, or end the "
            "run before."
        )

    def _distance(self, k: int, side: int, knot: Knot) -> float:
        """Return the distance of a point to one of its two path limits."""
        s = knot.q[self._at[k]]
        distance = self._high[k] - s if side else s - self._low[k]
        return float(distance + self._margin[k])

    def _within(self, q: FloatArray) -> FloatArray:
        """Return the distance of every point to its path limits, row by row."""
        s = q[:, self._at]
        distance: FloatArray = np.minimum(s - self._low, self._high - s) + self._margin
        return distance
