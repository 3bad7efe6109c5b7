"""Event location: zero crossings of functions and series, by interpolation within a step."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from mbdgen.errors import OptionError
from mbdgen.runtime.results.hermite_interpolation import quintic
from mbdgen.runtime.results.result_series import Directory
from mbdgen.runtime.stepping.number_arguments import number
from mbdgen.runtime.system.system import System
from mbdgen.runtime.system.system_data import FloatArray

EventFunction = Callable[[float, FloatArray, FloatArray], float]


@dataclass(frozen=True)
class Event:
    """A named series of the model that crosses a value.

    Any expression of a model becomes such a series by ``model.output(name, expression)``.

    Attributes
    ----------
    series : str
        Name of an output, coordinate, velocity, acceleration or multiplier, as in a result. Angles
        are unwrapped: the value 20 is crossed after three revolutions.
    value : float
        Value that is crossed.
    terminal : bool
        Whether the simulation stops there.
    direction : float
        Positive: only rising crossings, negative: only falling ones.
    period : float, optional
        The value is crossed again after every period: ``2 * pi`` for once in every turn.
    """

    series: str
    value: float = 0.0
    terminal: bool = False
    direction: float = 0.0
    period: float | None = None


@dataclass(frozen=True)
class Knot:
    """Time, coordinates, velocities, accelerations and multipliers at the end of a step."""

    t: float
    q: FloatArray
    v: FloatArray
    a: FloatArray
    lam: FloatArray

    @property
    def state(self) -> tuple[float, FloatArray, FloatArray, FloatArray, FloatArray]:
        """Return all fields, as systems take them."""
        return self.t, self.q, self.v, self.a, self.lam


Value = Callable[[Knot], float]


def interpolate(left: Knot, right: Knot, t: float) -> Knot:
    """Interpolate between two states: motion by a quintic Hermite polynomial, ``lam`` linearly."""
    h = right.t - left.t
    s = (t - left.t) / h
    ends = (left.q, left.v, left.a), (right.q, right.v, right.a)
    return Knot(t, *quintic(h, s, *ends), left.lam + s * (right.lam - left.lam))


@dataclass
class Watch:
    """One event function and its last value.

    Attributes
    ----------
    value : callable
        Zero at the event.
    index : int
        Index in the user's list of events.
    terminal : bool
        Whether the simulation stops there.
    direction : float
        Positive: only rising crossings, negative: only falling ones.
    period : float
        All multiples of the period count as zero; 0: not periodic.
    message : callable, optional
        Message, as a function of time, of a run that stops there.
    """

    value: Value
    index: int
    terminal: bool
    direction: float
    period: float = 0.0
    message: Callable[[float], str] | None = None
    times: list[float] = field(default_factory=list)
    _last: float = float("nan")

    def start(self, knot: Knot) -> None:
        """Evaluate the event function at the initial state."""
        self._last = self._value(knot)

    def crossings(self, left: Knot, right: Knot) -> list[float]:
        """Return the times of the event between two states."""
        before, after = self._last, self._value(right)
        self._last = after
        if not self.period:
            return self._crossing(left, right, (before, after), 0.0)
        low, high = sorted((before / self.period, after / self.period))
        levels = range(math.floor(low), math.ceil(high) + 1)
        found = (self._crossing(left, right, (before, after), k * self.period) for k in levels)
        return [t for times in found for t in times]

    def _crossing(
        self, left: Knot, right: Knot, ends: tuple[float, float], level: float
    ) -> list[float]:
        """Return the time at which the value crosses a level, if it does."""
        before, after = (value - level for value in ends)
        rising, falling = before < 0.0 <= after, before > 0.0 >= after
        if not (rising and self.direction >= 0.0) and not (falling and self.direction <= 0.0):
            return []
        if after == 0.0:
            return [right.t]

        def value(t: float) -> float:
            # The ends are known exactly; interpolation there could differ in sign by round-off.
            if t == left.t:
                return before
            return after if t == right.t else self._value(interpolate(left, right, t)) - level

        from scipy.optimize import brentq  # slow to import, and few runs have events

        return [float(brentq(value, left.t, right.t, xtol=1e-13 * max(1.0, abs(right.t))))]

    def _value(self, knot: Knot) -> float:
        try:
            value = float(self.value(knot))
        except (TypeError, ValueError) as error:
            raise OptionError(
                f"Event function {self.index} gives no number ({error}).",
                "It is called as event(t, q, v) and returns a number that crosses zero.",
            ) from error
        if np.isnan(value):
            raise OptionError(
                f"Event function {self.index} gives NaN at t = {knot.t:g}.",
                "Return a finite number.",
            )
        return value


def watches(system: System, events: Any) -> list[Watch]:
    """Return the watches for one event, a sequence of events or None.

    An event is a function, an `Event`, or the name of a series that crosses zero.
    """
    if events is None:
        return []
    single = callable(events) or isinstance(events, str | Event)
    if not single and not isinstance(events, Sequence):
        raise OptionError(
            f"events is not a function but {type(events).__name__}.",
            "Give a function event(t, q, v), the name of a series, an Event, or a list of them.",
        )
    given: Sequence[Any] = [events] if single else events
    return [_watch(system, event, index) for index, event in enumerate(given)]


def _watch(system: System, event: Any, index: int) -> Watch:
    if isinstance(event, str):
        event = Event(event)
    if isinstance(event, Event):
        return Watch(
            _of_series(system, event),
            index,
            bool(event.terminal),
            float(event.direction),
            _period(event),
        )
    if not callable(event):
        raise OptionError(
            f"Event {index} is not a function but {type(event).__name__}.",
            "Give functions event(t, q, v), names of series, or Events.",
        )
    # These two attributes are SciPy's interface of event functions: optional by definition.
    terminal = bool(getattr(event, "terminal", False))
    direction = float(getattr(event, "direction", 0.0))
    return Watch(lambda knot: event(knot.t, knot.q, knot.v), index, terminal, direction)


def _period(event: Event) -> float:
    """Return the period of an event, 0 if it has none."""
    period = 0.0 if event.period is None else number("period", event.period)
    if period < 0.0 or (period == 0.0 and event.period is not None):
        raise OptionError(
            f"The period of the event '{event.series}' is {period:g}.",
            "Give a positive number: 2*pi for an angle that passes a value in every turn.",
        )
    return period


def _of_series(system: System, event: Event) -> Value:
    """Return the event function of a series: its value minus the crossed value."""
    try:
        found, single = Directory(system.names).select(event.series)
    except OptionError as error:
        raise OptionError(
            f"The event '{event.series}' names no series. {error.cause}", error.remedy
        ) from None
    if not single or found[0].source == "energies":
        raise OptionError(
            f"The event '{event.series}' is no single series of the motion.",
            f"Name one of: {', '.join(column.name for column in found)}, or a force or coordinate."
            if not single
            else "Name an output, coordinate, velocity, acceleration or multiplier.",
        )
    (column,), at = found, number("value", event.value)
    source, k = column.source, column.index
    if source != "outputs":
        return lambda knot: float(getattr(knot, source)[k]) - at
    return lambda knot: float(system.outputs(*knot.state)[k]) - at
