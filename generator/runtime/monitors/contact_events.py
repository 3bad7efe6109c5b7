"""Contact events: detection of the start and end of contacts, and their history variables.

An open contact exerts no force, so that a step into it is smooth, and its start is located by
interpolation. The run steps to this instant, closes the contact with the current approach velocity,
and opens it when the penetration depth returns to zero.
"""

from typing import NamedTuple

import numpy as np

from mbdgen.runtime.monitors.events import Knot, interpolate
from mbdgen.runtime.monitors.missed_contacts import FEW, Findings, Missed
from mbdgen.runtime.system.system import System
from mbdgen.runtime.system.system_data import FloatArray

CLOSED, APPROACH, CALM = 0, 1, 2
DEPTH, SPEED, STEP = 0, 1, 2
SAMPLES = 33
"""Number of points within a step at which the penetration depth is evaluated."""
AT = 1e-14
"""Tolerance of event location, relative to the step size."""
AT_REST = 0.1
"""Relative change of depth in some steps that indicates resting contact; impacts exceed it."""
HARD = 0.05
"""Approach velocity relative to the largest one of a run, above which an impact matters."""
MOST_CALM = 10.0
"""Largest ratio of the step size in resting contact to that in an impact."""


class Impact(NamedTuple):
    """A contact from its start to its end."""

    contact: str
    begin: float
    end: float
    approach: float
    departure: float

    @property
    def restitution(self) -> float:
        """Coefficient of restitution: separation velocity / approach velocity."""
        return self.departure / self.approach if self.approach > 0.0 else float("nan")


class Contacts:
    """Contacts of one run.

    Parameters
    ----------
    system : System
        System of the run: the history variables of a contact are in its parameter table.
    """

    def __init__(self, system: System) -> None:
        data = system.data
        self._system, self._columns = system, data.contacts
        outputs = data.names.outputs
        self.names = [outputs[k].rpartition(".")[0] for k in self._columns[:, DEPTH]]
        self._parameters = [
            [data.memory[(data.memory[:, 1:] == (k, what)).all(axis=1), 0] for what in range(3)]
            for k in range(len(self.names))
        ]
        self.impacts: list[Impact] = []
        self.missed = Findings()
        self._open: dict[int, tuple[float, float]] = {}
        self._made: dict[int, int] = {}
        self._looked = np.zeros((0, 3)), np.zeros((0, 3))
        self._hardest = 0.0

    def __bool__(self) -> bool:
        return bool(self.names)

    @property
    def finished(self) -> tuple[Impact, ...]:
        """All impacts in the order of their start, including unfinished ones."""
        rest = float("nan")
        open_ends = [
            Impact(self.names[k], t, rest, speed, rest) for k, (t, speed) in self._open.items()
        ]
        return tuple(sorted([*self.impacts, *open_ends], key=lambda impact: impact.begin))

    def is_closed(self, k: int) -> bool:
        """Whether a contact is closed, i.e. exerts forces."""
        return bool(self._system.work.p[self._parameters[k][CLOSED][0]] > 0.5)

    def look(self, knot: Knot) -> FloatArray:
        """Return depth, its rate and the required step size of every contact, one row each."""
        out = self._system.outputs(*knot.state)
        looked: FloatArray = out[self._columns]
        return looked

    def begin(self, knot: Knot, continued: bool) -> None:
        """Initialise the contact states; a continued run has them already."""
        for k, (depth, speed, _) in enumerate(self.look(knot)):
            if not continued:
                self._write(k, CLOSED, 1.0 if depth > 0.0 or (depth == 0.0 <= speed) else 0.0)
                self._write(k, APPROACH, max(speed, 0.0))
            if self.is_closed(k):
                approach = self._system.work.p[self._parameters[k][APPROACH]]
                self._open[k] = knot.t, float(approach[0]) if len(approach) else speed

    def reset(self) -> None:
        """Reset the parameters to their initial values in the model."""
        for parameters in self._parameters:
            for at in parameters:
                self._system.work.p[at] = self._system.data.tables.p[at]

    def step(self, knot: Knot) -> float:
        """Return the largest step size that the closed contacts allow."""
        if not any(map(self.is_closed, range(len(self.names)))):
            return np.inf
        steps = self.look(knot)[:, STEP]
        return min(float(steps[k]) for k in range(len(steps)) if self.is_closed(k))

    def settle(self, left: Knot, right: Knot) -> None:
        """Allow longer steps in resting contact, where the depth hardly changes."""
        before, after = self.look(left), self.look(right)
        speed = np.maximum(np.abs(before[:, SPEED]), np.abs(after[:, SPEED]))
        change = speed * abs(right.t - left.t)
        p = self._system.work.p
        for k, (_, _, calm) in enumerate(self._parameters):
            if self.is_closed(k):
                resting = change[k] < AT_REST * min(before[k, DEPTH], after[k, DEPTH])
                p[calm] = min(2.0 * p[calm][0], MOST_CALM) if resting else 1.0

    def first(self, left: Knot, right: Knot) -> tuple[float, int] | None:
        """Return the first start or end of a contact in a step, and the index of the contact."""
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
        """Detect open contacts that have closed and opened again in the last step.

        A contact with one extremum of the depth in a step is located at its start. Here there are
        two extrema, as with several oscillations in a step.
        """
        before, after = self._looked
        turns = before[:, SPEED] * after[:, SPEED] > 0.0
        apart = (before[:, DEPTH] < 0.0) & (after[:, DEPTH] < 0.0)
        if steps > 1 or not (turns & apart).any():
            return
        h, s = abs(end - begin), np.linspace(0.0, 1.0, SAMPLES)[:, None]
        direction = np.sign(end - begin)
        r = 1.0 - s
        ends = r * r * (1.0 + 2.0 * s), s * s * (3.0 - 2.0 * s), s * r * r, -s * s * r
        x = ends[0] * before[:, DEPTH] + ends[1] * after[:, DEPTH]
        depth = x + direction * h * (ends[2] * before[:, SPEED] + ends[3] * after[:, SPEED])
        inside = (depth > 0.0).sum(axis=0)
        for k in np.flatnonzero((inside > 0) & turns & apart).tolist():
            if not self.is_closed(k):
                self.missed.add(Missed(self._named(k), begin, 0, h * int(inside[k]) / SAMPLES, h))

    def _named(self, k: int) -> str:
        return f"The contact '{self.names[k]}'"

    def change(self, k: int, knot: Knot) -> None:
        """Close an open contact, or open a closed one."""
        speed = float(self.look(knot)[k, SPEED])
        if self.is_closed(k):
            begin, approach = self._open.pop(k)
            made, lasts = self._made.pop(k, FEW), abs(knot.t - begin)
            if made < FEW and approach > HARD * self._hardest:
                self.missed.add(Missed(self._named(k), begin, made, lasts, lasts / made))
            self.impacts.append(Impact(self.names[k], begin, knot.t, approach, -speed))
            self._write(k, CLOSED, 0.0)
        else:
            self._open[k], self._made[k] = (knot.t, speed), 0
            self._hardest = max(self._hardest, speed)
            self._write(k, CLOSED, 1.0)
            self._write(k, APPROACH, max(speed, 0.0))
        for other in range(len(self.names)):
            self._write(other, CALM, 1.0)

    def _closing(
        self, k: int, left: Knot, right: Knot, before: FloatArray, after: FloatArray
    ) -> float | None:
        """Return the instant at which the depth of an open contact rises through zero."""
        start = left
        if before[DEPTH] >= 0.0:  # just opened here
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
        """Return the instant at which the depth of a closed contact falls through zero."""
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
        """Return the state of largest or smallest depth."""
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
        self._system.work.p[self._parameters[k][what]] = value
