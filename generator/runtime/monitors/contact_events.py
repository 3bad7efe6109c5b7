"""Contacts during a run: when they begin and end, and what is remembered of their begin.

While two bodies are apart their contact is open: it exerts no force, so that a step into it is as
smooth as any other, and where it begins is found by interpolation. The run goes there, closes the
contact with the speed of approach of this instant, and opens it where the depth is zero again.
"""

from typing import NamedTuple

import numpy as np

from mbdgen.runtime.monitors.events import Knot, interpolate
from mbdgen.runtime.monitors.missed_contacts import FEW, Findings, Missed
from mbdgen.runtime.system.system import System
from mbdgen.runtime.system.system_data import FloatArray

CLOSED, APPROACH, CALM = 0, 1, 2
DEPTH, SPEED, STEP = 0, 1, 2
PLACES = 33
"""In a step, where its depth is looked at."""
AT = 1e-14
"""Part of a step within which an instant is found."""
AT_REST = 0.1
"""Part of the depth by which it changes in some steps of what rests; in an impact it is more."""
HARD = 0.05
"""Speed of approach, beside the largest one of a run, of impacts that matter."""
MOST_CALM = 10.0
"""So many times longer than in an impact are steps of what rests."""


class Impact(NamedTuple):
    """A contact from its begin to its end.

    Attributes
    ----------
    contact : str
        Its name.
    begin, end : float
        When; the end is NaN if the run ended before.
    approach, departure : float
        Speeds along the normal, both positive.
    """

    contact: str
    begin: float
    end: float
    approach: float
    departure: float

    @property
    def restitution(self) -> float:
        """Speed after by speed before."""
        return self.departure / self.approach if self.approach > 0.0 else float("nan")


class Contacts:
    """Contacts of one run.

    Parameters
    ----------
    system : System
        Of the run: the numbers that a contact remembers are in its table of parameters.
    """

    def __init__(self, system: System) -> None:
        data = system.data
        self._system, self._columns = system, data.contacts
        outputs = data.names.outputs
        self.names = [outputs[k].rpartition(".")[0] for k in self._columns[:, DEPTH]]
        self._places = [
            [data.memory[(data.memory[:, 1:] == (k, what)).all(axis=1), 0] for what in range(3)]
            for k in range(len(self.names))
        ]
        self.impacts: list[Impact] = []
        self.missed = Findings()
        self._under_way: dict[int, tuple[float, float]] = {}
        self._made: dict[int, int] = {}
        self._looked = np.zeros((0, 3)), np.zeros((0, 3))
        self._hardest = 0.0

    def __bool__(self) -> bool:
        return bool(self.names)

    @property
    def finished(self) -> tuple[Impact, ...]:
        """All impacts in the order of their begin, those under way included."""
        rest = float("nan")
        open_ends = [
            Impact(self.names[k], t, rest, speed, rest) for k, (t, speed) in self._under_way.items()
        ]
        return tuple(sorted([*self.impacts, *open_ends], key=lambda impact: impact.begin))

    def is_closed(self, k: int) -> bool:
        """Whether a contact acts."""
        return bool(self._system.work.p[self._places[k][CLOSED][0]] > 0.5)

    def look(self, knot: Knot) -> FloatArray:
        """Return depth, its rate and the wanted step of every contact, one row each."""
        out = self._system.outputs(*knot.state)
        looked: FloatArray = out[self._columns]
        return looked

    def begin(self, knot: Knot, continued: bool) -> None:
        """Close what is closed at the begin; a continued run knows that already."""
        for k, (depth, speed, _) in enumerate(self.look(knot)):
            if not continued:
                self._write(k, CLOSED, 1.0 if depth > 0.0 or (depth == 0.0 <= speed) else 0.0)
                self._write(k, APPROACH, max(speed, 0.0))
            if self.is_closed(k):
                approach = self._system.work.p[self._places[k][APPROACH]]
                self._under_way[k] = knot.t, float(approach[0]) if len(approach) else speed

    def reset(self) -> None:
        """Give back the numbers that the model begins with."""
        for places in self._places:
            for at in places:
                self._system.work.p[at] = self._system.data.tables.p[at]

    def step(self, knot: Knot) -> float:
        """Return the longest step that the closed contacts allow."""
        if not any(map(self.is_closed, range(len(self.names)))):
            return np.inf
        steps = self.look(knot)[:, STEP]
        return min(float(steps[k]) for k in range(len(steps)) if self.is_closed(k))

    def settle(self, left: Knot, right: Knot) -> None:
        """Allow longer steps where the depth does not change much in some steps of an impact."""
        before, after = self.look(left), self.look(right)
        speed = np.maximum(np.abs(before[:, SPEED]), np.abs(after[:, SPEED]))
        change = speed * abs(right.t - left.t)
        p = self._system.work.p
        for k, (_, _, calm) in enumerate(self._places):
            if self.is_closed(k):
                resting = change[k] < AT_REST * min(before[k, DEPTH], after[k, DEPTH])
                p[calm] = min(2.0 * p[calm][0], MOST_CALM) if resting else 1.0

    def first(self, left: Knot, right: Knot) -> tuple[float, int] | None:
        """Return the first instant of a step at which a contact begins or ends, and which one."""
        before, after = self._looked = self.look(left), self.look(right)
        found = []
        for k in range(len(self.names)):
            change = self._closing if not self.is_closed(k) else self._opening
            t = change(k, left, right, before[k], after[k])
            if t is not None:
                found.append((t, k))
        forward = right.t > left.t
        return (min(found) if forward else max(found)) if found else None

    def made(self, steps: int) -> None:
        """Count steps in contacts."""
        for k in self._made:
            self._made[k] += steps

    def pass_over(self, begin: float, end: float, steps: int) -> None:
        """Find open contacts that have closed and opened again in the last step.

        Those whose depth turns once in a step are found where they begin. Here it turns twice, as
        where something swings several times in a step.
        """
        before, after = self._looked
        turns = before[:, SPEED] * after[:, SPEED] > 0.0
        apart = (before[:, DEPTH] < 0.0) & (after[:, DEPTH] < 0.0)
        if steps > 1 or not (turns & apart).any():
            return
        h, s = abs(end - begin), np.linspace(0.0, 1.0, PLACES)[:, None]
        way = np.sign(end - begin)
        r = 1.0 - s
        ends = r * r * (1.0 + 2.0 * s), s * s * (3.0 - 2.0 * s), s * r * r, -s * s * r
        x = ends[0] * before[:, DEPTH] + ends[1] * after[:, DEPTH]
        depth = x + way * h * (ends[2] * before[:, SPEED] + ends[3] * after[:, SPEED])
        inside = (depth > 0.0).sum(axis=0)
        for k in np.flatnonzero((inside > 0) & turns & apart).tolist():
            if not self.is_closed(k):
                self.missed.add(Missed(self._named(k), begin, 0, h * int(inside[k]) / PLACES, h))

    def _named(self, k: int) -> str:
        return f"The contact '{self.names[k]}'"

    def change(self, k: int, knot: Knot) -> None:
        """Close a contact that is open, or open one that is closed."""
        speed = float(self.look(knot)[k, SPEED])
        if self.is_closed(k):
            begin, approach = self._under_way.pop(k)
            made, lasts = self._made.pop(k, FEW), abs(knot.t - begin)
            if made < FEW and approach > HARD * self._hardest:
                self.missed.add(Missed(self._named(k), begin, made, lasts, lasts / made))
            self.impacts.append(Impact(self.names[k], begin, knot.t, approach, -speed))
            self._write(k, CLOSED, 0.0)
        else:
            self._under_way[k], self._made[k] = (knot.t, speed), 0
            self._hardest = max(self._hardest, speed)
            self._write(k, CLOSED, 1.0)
            self._write(k, APPROACH, max(speed, 0.0))
        for other in range(len(self.names)):
            self._write(other, CALM, 1.0)

    def _closing(
        self, k: int, left: Knot, right: Knot, before: FloatArray, after: FloatArray
    ) -> float | None:
        """Return where the depth of an open contact rises through zero."""
        start = left
        if before[DEPTH] >= 0.0:  # it has just been opened here
            if before[SPEED] > 0.0:
                return left.t
            if after[SPEED] <= 0.0:
                return None
            start = self._turning(k, left, right)
            if self._value(k, DEPTH, start) >= 0.0:
                return right.t if after[DEPTH] > 0.0 else None
        if after[DEPTH] > 0.0:
            return self._root(k, DEPTH, start, right)
        if start is left and before[SPEED] > 0.0 > after[SPEED]:
            top = self._turning(k, left, right)
            if self._value(k, DEPTH, top) > 0.0:
                return self._root(k, DEPTH, left, top)
        return None

    def _opening(
        self, k: int, left: Knot, right: Knot, before: FloatArray, after: FloatArray
    ) -> float | None:
        """Return where the depth of a closed contact falls through zero."""
        if after[DEPTH] > 0.0 or after[SPEED] >= 0.0:
            return None
        if before[DEPTH] > 0.0:
            return self._root(k, DEPTH, left, right)
        if before[SPEED] <= 0.0:
            return left.t
        deepest = self._turning(k, left, right)
        if self._value(k, DEPTH, deepest) <= 0.0:
            return right.t
        return self._root(k, DEPTH, deepest, right)

    def _turning(self, k: int, left: Knot, right: Knot) -> Knot:
        """Return where the depth is largest or smallest."""
        return interpolate(left, right, self._root(k, SPEED, left, right))

    def _root(self, k: int, what: int, left: Knot, right: Knot) -> float:
        def value(t: float) -> float:
            knot = left if t == left.t else right if t == right.t else interpolate(left, right, t)
            return self._value(k, what, knot)

        if value(left.t) * value(right.t) > 0.0:
            return right.t
        from scipy.optimize import brentq  # slow to import, and few runs have contacts

        return float(brentq(value, left.t, right.t, xtol=AT * max(1.0, abs(right.t))))

    def _value(self, k: int, what: int, knot: Knot) -> float:
        return float(self.look(knot)[k, what])

    def _write(self, k: int, what: int, value: float) -> None:
        self._system.work.p[self._places[k][what]] = value
