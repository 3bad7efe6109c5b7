"""Validate the arguments of ``simulate``: time span, step size, tolerances, output times."""

import math
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from mbdgen.errors import OptionError
from mbdgen.runtime.stepping.number_arguments import number
from mbdgen.runtime.system.system_data import FloatArray, FloatsLike, IntArray


@dataclass(frozen=True)
class Schedule:
    """Output times and fixed step sizes of a run.

    Attributes
    ----------
    instants : array
        Ends of the intervals after which the compiled loop returns, start and end included.
    substeps : array of int
        Number of equal steps in every interval.
    keep : array of bool
        Instants that are stored in the result.
    every : int
        Every ``every``-th step is stored (1 unless memory is short; irrelevant with ``t_eval``).
    wanted : float
        Requested step size if no step is made (a single instant).
    samples : array of bool, optional
        Ends of single steps sampled for the error estimate: see `sampled`.
    briefly : bool
        Whether only the motion is recorded at instants that are not stored.
    """

    instants: FloatArray
    substeps: IntArray
    keep: NDArray[np.bool_]
    every: int = 1
    wanted: float = math.nan
    samples: NDArray[np.bool_] | None = None
    briefly: bool = False

    @cached_property
    def brief(self) -> IntArray:
        """Whether the end of an interval is inspected but not stored."""
        if self.samples is None and not self.briefly:
            return np.zeros(len(self.substeps), np.int64)
        looked_at = True if self.briefly or self.samples is None else self.samples
        found: IntArray = (looked_at & ~self.keep)[1:].astype(np.int64)
        return found

    @property
    def first_step(self) -> float:
        """Size of the first step, or the requested one if there is none."""
        return self.step(0) if len(self.substeps) else self.wanted

    def step(self, k: int) -> float:
        """Return the step size in an interval."""
        return float(self.instants[k + 1] - self.instants[k]) / int(self.substeps[k])

    def end(self, k: int, step: int) -> float:
        """Return the end of a step of an interval; steps are counted from 0."""
        if step + 1 == self.substeps[k]:
            return float(self.instants[k + 1])
        return float(self.instants[k]) + (step + 1) * self.step(k)

    def beyond(self, k: int) -> "Schedule":
        """Return the part of the schedule after one of its instants."""
        parts = self.instants[k:], self.substeps[k:], self.keep[k:]
        samples = None if self.samples is None else self.samples[k:]
        return Schedule(*parts, self.every, self.wanted, samples, self.briefly)

    def by_steps(self) -> "Schedule":
        """Return the same schedule with one step per interval, for event location."""
        return self._ending(np.arange(1, int(self.substeps.sum()) + 1))

    def sampled(self, groups: int, length: int) -> "Schedule":
        """Return the same schedule with groups of single steps that are inspected but not stored.

        Parameters
        ----------
        groups, length : int
            Number of groups over the whole span, and number of steps in each.
        """
        total = int(self.substeps.sum())
        first = np.linspace(0, max(total - length, 0), groups).astype(np.int64)
        steps = np.unique(np.minimum(first[:, None] + np.arange(length + 1), total))
        ends = np.union1d(np.cumsum(self.substeps), steps[steps > 0])
        plan = self._ending(ends)
        samples = np.isin(np.concatenate([[0], ends]), steps)
        return replace(plan, samples=samples)

    def _ending(self, ends: IntArray) -> "Schedule":
        """Return the same schedule with intervals ending at the given total step counts.

        The ends of its own intervals are among these.
        """
        own = np.cumsum(self.substeps)
        interval = np.searchsorted(own, ends)
        counts = self.substeps[interval]
        done = ends - (own[interval] - counts)
        h = (np.diff(self.instants) / self.substeps)[interval]
        full = done == counts
        after = np.where(full, self.instants[interval + 1], self.instants[interval] + done * h)
        keep = np.concatenate([self.keep[:1], full & self.keep[interval + 1]])
        samples = None
        if self.samples is not None:
            samples = np.concatenate([self.samples[:1], full & self.samples[interval + 1]])
        instants = np.concatenate([self.instants[:1], after])
        substeps = np.diff(ends, prepend=0)
        return Schedule(instants, substeps, keep, self.every, self.wanted, samples)


def time_span(span: FloatsLike, backward: bool = False, still: bool = False) -> tuple[float, float]:
    """Validate ``(t0, t1)``.

    Parameters
    ----------
    backward : bool
        Whether ``t1 < t0`` is allowed.
    still : bool
        Whether ``t1 == t0`` is allowed.
    """
    try:
        start, end = span
    except (TypeError, ValueError):
        raise OptionError(
            f"The time span {span!r} is not a pair.", "Give (start, end) in seconds."
        ) from None
    start, end = number("start time", start), number("end time", end)
    if end == start and not still:
        raise OptionError(
            f"The time span ends where it starts, at {start:g}.", "Give two different times."
        )
    if end < start and not backward:
        raise OptionError(
            f"The end time {end:g} is not after the start time {start:g}.",
            "Give (start, end) with start < end.",
        )
    return start, end


def step_size(h: object) -> float:
    """Validate the step size."""
    step = number("h", h)
    if step <= 0.0:
        raise OptionError(f"The step size h = {step:g} is not positive.", "Choose h > 0.")
    return step


def schedule(
    span: tuple[float, float],
    h: object,
    t_eval: object,
    every: int = 1,
    most_rows: float = math.inf,
) -> Schedule:
    """Plan the recorded instants and steps of at most ``h``.

    Without ``t_eval`` each ``every``-th step is recorded, or fewer so that there are at most
    ``most_rows``.
    """
    step = step_size(h)
    start, end = span
    if start == end:
        return _snapshot(start, step, t_eval)
    if t_eval is None:
        steps = _steps(end - start, step)
        every = max(every, math.ceil((steps + 1) / most_rows))
        intervals = math.ceil(steps / every)
        counts = np.full(intervals, every, np.int64)
        counts[-1] = steps - every * (intervals - 1)
        done = np.concatenate([[0], np.cumsum(counts)])
        return Schedule(_grid(span, step, steps, done), counts, np.ones(len(done), bool), every)
    plan = stops(span, t_eval)
    with np.errstate(over="ignore"):
        gaps = np.diff(plan.instants)
    counts = np.array([_steps(gap, step) for gap in gaps], np.int64)
    return Schedule(plan.instants, counts, plan.keep)


def _snapshot(t: float, step: float, t_eval: object) -> Schedule:
    """Plan a single instant without any step."""
    if t_eval is not None and _instants((t, t), t_eval).tolist() != [t]:
        raise OptionError(f"A snapshot at {t:g} s has no other instants.", "Leave t_eval out.")
    return Schedule(np.array([t]), np.zeros(0, np.int64), np.ones(1, bool), wanted=step)


def stops(span: tuple[float, float], t_eval: object) -> Schedule:
    """Plan the recorded instants of an adaptive run: both ends of the span, or ``t_eval``."""
    ends = np.array(span)
    chosen = ends if t_eval is None else _instants(span, t_eval)
    instants = np.union1d(chosen, ends)
    if span[1] < span[0]:
        instants = instants[::-1].copy()
    one = np.ones(len(instants) - 1, np.int64)
    return Schedule(instants, one, np.isin(instants, chosen))


def _grid(span: tuple[float, float], h: float, steps: int, done: IntArray) -> FloatArray:
    """Return the instants after the given numbers of equal steps.

    If the decimals that the user wrote satisfy ``start + k h = end``, each instant is the
    floating-point number nearest to the decimal ``start + k h``: 0.3 and not 0.1 + 0.1 + 0.1. The
    instants then do not depend on where the span begins and ends, and two consecutive runs make
    the same steps as one run over both spans.
    """
    start, end = span
    first, last, step = (Fraction(repr(x)) for x in (start, end, math.copysign(h, end - start)))
    common = math.lcm(first.denominator, step.denominator)
    a, b = int(first * common), int(step * common)
    if first + steps * step == last and max(abs(a) + steps * abs(b), common) < 2**53:
        exact: FloatArray = (a + done * b) / common
        return exact
    instants = start + (end - start) * (done / steps)
    instants[-1] = end
    return instants


def _steps(length: float, h: float) -> int:
    # 10.0 / 1e-3 may be 10000.000000000002: that is no reason for one more step.
    steps = abs(float(length)) / h * (1.0 - 1e-9)
    if not steps <= 2.0**53:
        raise OptionError(
            f"The step size h = {h:g} is too small for {abs(length):g} s.", "Enlarge h."
        )
    return max(1, math.ceil(steps))


def _instants(span: tuple[float, float], t_eval: object) -> FloatArray:
    try:
        chosen = np.asarray(t_eval, float)
    except (TypeError, ValueError):
        chosen = np.full(1, np.nan)
    start, end = span
    if chosen.ndim != 1 or chosen.size == 0 or not np.isfinite(chosen).all():
        raise OptionError("t_eval is not a list of finite numbers.", "Give increasing instants.")
    sign = math.copysign(1.0, end - start)
    with np.errstate(over="ignore"):
        gaps = sign * np.diff(chosen)
    if (gaps <= 0.0).any():
        direction = "increase" if sign > 0.0 else "decrease"
        raise OptionError(f"The instants of t_eval do not {direction}.", "Sort them, each once.")
    if sign * (chosen[0] - start) < 0.0 or sign * (end - chosen[-1]) < 0.0:
        raise OptionError(
            f"t_eval reaches from {chosen[0]:g} to {chosen[-1]:g}, outside the time span "
            f"from {start:g} to {end:g}.",
            "Choose instants within the time span.",
        )
    return chosen
