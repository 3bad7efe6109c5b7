"""Places that move along a path, and runs that end where one would leave it."""

from collections.abc import Iterator
from functools import partial

import numpy as np

from mbdgen.runtime.monitors.events import Knot, Watch
from mbdgen.runtime.system.system import System
from mbdgen.runtime.system.system_data import FloatArray

MARGIN = 1e-9
"""Of a path: a place may rest at its very end, which round-off is not to call beyond."""


class Ranges:
    """The ends of the paths of a system.

    Parameters
    ----------
    system : System
        With its parameters as they are now.
    """

    def __init__(self, system: System) -> None:
        places = system.data.ranges
        self._names = [system.names.coordinates[k] for k in places[:, 0]]
        self._at = places[:, 0]
        self._low, self._high = (system.work.p[places[:, k]] for k in (1, 2))
        self._margin = MARGIN * (self._high - self._low)

    def __bool__(self) -> bool:
        return len(self._at) > 0

    def left(self, q: FloatArray) -> int | None:
        """Return the first row of coordinates in which a place is beyond its path."""
        rows = np.flatnonzero((self._within(q) < 0.0).any(axis=1))
        return int(rows[0]) if len(rows) else None

    def beyond(self, q: FloatArray) -> str:
        """Say which place is farthest beyond its path; nothing if none is."""
        room = self._within(q[None])[0]
        k = int(room.argmin()) if len(room) else 0
        if not len(room) or room[k] >= 0.0:
            return ""
        return (
            f"the place '{self._names[k]}' is at {q[self._at[k]]:.10g} m, beyond "
            f"{self._low[k]:g} to {self._high[k]:g} m"
        )

    def room(self, q: FloatArray) -> float:
        """Return how far the places are from leaving their paths; negative beyond."""
        return float(self._within(q[None]).min(initial=np.inf))

    def ending(self, t: float, q: FloatArray) -> str:
        """Say which place is at an end of its path, of a run that stops there."""
        s = q[self._at]
        k = int(self._within(q[None])[0].argmin())
        end = min(self._low[k], self._high[k], key=lambda border: abs(border - s[k]))
        return self._message(k, float(end), t)

    def ended(self, q: FloatArray) -> bool:
        """Say whether a place has come to an end of its path."""
        room = self._within(q[None])[0]
        return bool((room <= 1e3 * self._margin).any())

    def watches(self, first: int) -> Iterator[Watch]:
        """Yield terminal events, one for each end of each path, numbered from the first on."""
        for k in range(len(self._at)):
            for side, end in enumerate((self._low[k], self._high[k])):
                room, told = partial(self._room, k, side), partial(self._message, k, float(end))
                yield Watch(room, first + 2 * k + side, True, -1.0, told=told)

    def _message(self, k: int, end: float, t: float) -> str:
        """Say which place is where its path ends."""
        return (
            f"The place '{self._names[k]}' leaves its path of {self._low[k]:g} to "
            f"{self._high[k]:g} m at t = {t:g} s, at {end:g} m. Make the path longer, or end the "
            "run before."
        )

    def _room(self, k: int, side: int, knot: Knot) -> float:
        """Return how far a place is from leaving its path at one of the two ends."""
        s = knot.q[self._at[k]]
        room = self._high[k] - s if side else s - self._low[k]
        return float(room + self._margin[k])

    def _within(self, q: FloatArray) -> FloatArray:
        """Return how far every place is from leaving its path, row by row."""
        s = q[:, self._at]
        room: FloatArray = np.minimum(s - self._low, self._high - s) + self._margin
        return room
