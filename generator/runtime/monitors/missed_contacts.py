"""Missed contacts: contacts that steps skip entirely, or resolve with one or two steps only.

A contact force acts only where the equations are evaluated. The relative motion of bodies between
two step ends shows whether a contact was resolved: see `mbdgen.runtime.monitors.contact_gaps`. A
contact of fewer than `FEW` steps is not reliable; grazing contacts, with a small approach velocity,
are ignored.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mbdgen.runtime.monitors.contact_gaps import Columns, Gaps, GapSeries, gaps_of, stretches
from mbdgen.runtime.system.system import System
from mbdgen.runtime.system.system_data import FloatArray

FEW = 3
"""Number of steps below which a contact is not resolved."""
PARTS = 20.0
"""Recommended number of steps in a contact."""
ROWS, BACK = 32, 3
"""Number of step ends processed together, and of previous ones needed with them."""
GRAZES = 0.05
"""Approach velocity relative to the relative speed, below which bodies graze each other."""
SLOW = 0.02
"""The same relative to the largest speed of all."""
FAST = 0.2
"""Distance per step, relative to the sum of two radii, that may pass through a contact."""
MANY = 1000
"""Number of missed contacts after which the search stops."""
AT_ONCE = 200_000
"""Number of gaps computed together."""


class Missed(NamedTuple):
    """A contact that a run has not resolved.

    Attributes
    ----------
    contact : str
        Description of the contact, the beginning of a sentence.
    t : float
        Approximate time.
    steps : int
        Number of step ends within it.
    lasts, h : float
        Duration of the contact and step size, in s.
    """

    contact: str
    t: float
    steps: int
    lasts: float
    h: float


class Findings:
    """Missed contacts of a run.

    Attributes
    ----------
    found : list of Missed
        Some of them, including the first one of every kind and the shortest one.
    count : int
        Total number.
    """

    def __init__(self) -> None:
        self.found: list[Missed] = []
        self.count = 0

    def add(self, missed: Missed) -> None:
        """Add a missed contact."""
        self.count += 1
        if all(one.steps > missed.steps or one.lasts > missed.lasts for one in self.found):
            self.found.append(missed)

    @property
    def text(self) -> str:
        """Missed contacts and the step size that resolves them; empty if there are none."""
        if not self.found:
            return ""
        first = min(self.found, key=lambda one: one.steps)
        how = "was stepped over"
        if first.steps > 0:
            how = f"was seen by {first.steps} step{'s' * (first.steps > 1)} only"
        others = ""
        if self.count > 1:
            least = "at least " if self.count >= MANY else ""
            others = f" There were {least}{self.count} contacts of fewer than {FEW} steps."
        lasts = min(one.lasts for one in self.found)
        return (
            f"{first.contact} {how} near t = {first.t:.6g} s: it lasts about {first.lasts:.2g} s, "
            f"a step {first.h:.2g} s.{others} Steps of {lasts / PARTS:.1g} s would do."
        )


class ContactWatch:
    """Detection of missed contacts in crowds, between step ends; false without crowds.

    Parameters
    ----------
    system : System
        System of the run.
    controlled : bool
        Whether the error of every step is controlled: a rebound within a step is then resolved.

    Attributes
    ----------
    findings : Findings
        Missed contacts so far.
    """

    def __init__(self, system: System, controlled: bool) -> None:
        self.findings = Findings()
        self._system, self._rows, self._next = system, 0, 1
        self._crowds, columns = gaps_of(system.data)
        if not self._crowds:
            return
        for crowd in self._crowds:
            crowd.tangents = not controlled
        self._columns, rows = Columns(columns), ROWS + BACK
        self._t, self._h = np.zeros(rows), np.zeros(rows)
        self._x, self._v = np.zeros((2, rows, len(columns), 3))

    def __bool__(self) -> bool:
        return bool(self._crowds)

    def begin(self, t: float, q: FloatArray, v: FloatArray) -> None:
        """Start with a state."""
        self._rows, self._next = 0, 1
        self.see(t, q, v)

    def see(self, t: float, q: FloatArray, v: FloatArray, steps: int = 1) -> None:
        """Add the end of a step, or of some equal ones."""
        if self.findings.count >= MANY:
            return
        k = self._rows
        self._t[k] = t
        q.take(self._columns.all, out=self._x[k], mode="clip")
        v.take(self._columns.all, out=self._v[k], mode="clip")
        if k > 0:
            self._h[k] = abs(t - self._t[k - 1]) / steps
        self._rows = k + 1
        if self._rows == len(self._t):
            self._look()

    def see_all(self, t: FloatArray, q: FloatArray, v: FloatArray) -> None:
        """Add consecutive step ends."""
        v = v[: len(t)]
        if len(t) > BACK and self._calm(t, v):
            if self._rows > self._next:
                self._look()
            self._rows, skipped = 0, len(t) - BACK
            self._take(t[skipped:], q[skipped:], v[skipped:])
            self._next = self._rows
        else:
            self._take(t, q, v)

    def finished(self) -> str:
        """Return the sentence about all missed contacts at the end of the run."""
        if self._rows > self._next:
            self._look()
        return self.findings.text

    def _calm(self, t: FloatArray, v: FloatArray) -> bool:
        """Whether no contact can be missed up to these step ends, given speeds and step sizes."""
        parts, before = self._columns.of(v), self._v[: self._rows]
        fastest = max(np.max(parts), -np.min(parts), np.max(before), -np.min(before))
        steps = np.abs(np.diff(t, prepend=self._t[self._rows - 1]))
        longest = max(float(steps.max()), float(self._h[: self._rows].max()))
        top, h = np.full(1, fastest * np.sqrt(3.0)), np.full(1, longest)
        self._read()
        return not any(self._doubtful(crowd, top, h)[0] for crowd in self._crowds)

    def _take(self, t: FloatArray, q: FloatArray, v: FloatArray) -> None:
        done = 0
        while done < len(t) and self.findings.count < MANY:
            begin = self._rows
            end = min(begin + len(t) - done, len(self._t))
            some, rows = slice(done, done + end - begin), slice(begin, end)
            self._t[rows] = t[some]
            self._x[rows] = self._columns.of(q[some])
            self._v[rows] = self._columns.of(v[some])
            first = max(begin, 1)
            self._h[first:end] = np.abs(np.diff(self._t[first - 1 : end]))
            self._rows, done = end, some.stop
            if end == len(self._t):
                self._look()

    def _read(self) -> None:
        for crowd in self._crowds:
            crowd.read(self._system.work.p)

    def _look(self) -> None:
        """Check all unchecked steps, and keep the last ends."""
        n = self._rows
        x, v = self._x[:n], self._v[:n]
        if self._t[n - 1] < self._t[0]:
            v = -v  # integration backward in time
        top = np.sqrt(3.0) * np.maximum(v.max(axis=(1, 2)), -v.min(axis=(1, 2)))
        if np.isfinite(top).all():
            self._read()
            for crowd in self._crowds:
                chosen = self._chosen(crowd, top)
                for first, last in stretches(chosen) if chosen.any() else ():
                    one, other = x[:, crowd.members], v[:, crowd.members]
                    for missed in self._missed(crowd, one, other, top, first, last):
                        self.findings.add(missed)
        keep = min(n, BACK)
        for kept in (self._t, self._h, self._x, self._v):
            kept[:keep] = kept[n - keep : n].copy()
        self._rows = self._next = keep

    def _chosen(self, crowd: Gaps, top: FloatArray) -> NDArray[np.bool_]:
        """Return the step ends at which a contact may be missed."""
        h = self._h[: len(top)].copy()
        h[0] = h[1]
        found = np.zeros(len(top), bool)
        if not self._doubtful(crowd, top.max(keepdims=True), h.max(keepdims=True))[0]:
            return found
        lately = [h, *(np.concatenate([h[:k], h[:-k]]) for k in range(1, BACK) if k < len(h))]
        speed = np.maximum(top, np.concatenate([top[:1], top[:-1]]))
        found[:] = self._doubtful(crowd, speed, np.max(lately, axis=0))
        found[: self._next] = False
        return found

    @staticmethod
    def _doubtful(crowd: Gaps, top: FloatArray, h: FloatArray) -> NDArray[np.bool_]:
        """Whether steps of this size may miss a contact at these largest speeds."""
        apart = 2.0 * top
        found: NDArray[np.bool_] = apart * h > FAST * crowd.smallest
        return found | (crowd.shortest(apart) < FEW * h)

    def _missed(
        self, crowd: Gaps, x: FloatArray, v: FloatArray, top: FloatArray, first: int, last: int
    ) -> Iterator[Missed]:
        """Yield the contacts missed in the steps that end at ``first`` and before ``last``."""
        begin = max(first - BACK, 0)
        travels = (
            np.maximum(top[begin + 1 : last], top[begin : last - 1]) * self._h[begin + 1 : last]
        )
        jumps = np.sqrt(3.0) * np.abs(np.diff(x[begin:last], axis=0)).max(axis=(1, 2))
        pairs = crowd.pairs(x[begin], float(np.maximum(travels, jumps).sum()))
        if len(pairs[0]) == 0:
            return
        if last - first > 1 and len(pairs[0]) * (last - begin) > AT_ONCE:
            middle = (first + last) // 2
            yield from self._missed(crowd, x, v, top, first, middle)
            yield from self._missed(crowd, x, v, top, middle, last)
            return
        rows = slice(begin, last)
        series = crowd.series(self._h[rows], x[rows], v[rows], pairs)
        yield from self._short(crowd, series, begin, first, top)

    def _short(
        self, crowd: Gaps, series: GapSeries, begin: int, first: int, top: FloatArray
    ) -> Iterator[Missed]:
        """Yield contacts that end before `FEW` step ends."""
        closed = series.gap < 0.0
        for steps in range(FEW):
            over = _over(closed, steps)
            if steps == 0:
                over &= series.low < 0.0
            over[: first - begin] = False
            rows, columns = np.nonzero(over)
            if len(rows) == 0:
                continue
            entered = rows - steps - 1
            at = entered, columns
            if steps == 0:
                enter, dwell = series.enter[rows, columns], series.dwell[rows, columns]
            else:
                enter, dwell = -series.rate[at], crowd.dwell(series, at)
            enough = np.maximum(GRAZES * series.speed[at], SLOW * top[begin + entered])
            pair = series.first[columns], series.second[columns]
            lasts = np.minimum(crowd.lasts(*pair, enter), dwell)
            h = (self._t[begin + rows] - self._t[begin + entered + (steps > 0)]) / max(steps, 1)
            h = np.minimum(np.abs(h), self._h[begin + rows])
            for k in np.flatnonzero((enter > enough) & (lasts < FEW * h)).tolist():
                who = f"The contact of {crowd.named(int(pair[0][k]), int(pair[1][k]))}"
                t = float(self._t[begin + entered[k]])
                yield Missed(who, t, steps, float(lasts[k]), float(h[k]))


def _over(closed: NDArray[np.bool_], steps: int) -> NDArray[np.bool_]:
    """Return where contacts end that were closed at exactly ``steps`` consecutive step ends."""
    found = np.zeros_like(closed)
    rows = steps + 1  # offset to the last end at which it was open before
    if len(closed) > rows:
        count = len(closed) - rows
        over = ~closed[rows:] & ~closed[:count]
        for k in range(1, steps + 1):
            over &= closed[k : k + count]
        found[rows:] = over
    return found
