"""Zero crossings of user functions, located between two states by interpolation."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from mbdgen.errors import OptionError
from mbdgen.runtime.data import FloatArray
from mbdgen.runtime.hermite import quintic

EventFunction = Callable[[float, FloatArray, FloatArray], float]


@dataclass(frozen=True)
class Knot:
    """Time, coordinates, velocities and accelerations at the end of a step."""

    t: float
    q: FloatArray
    v: FloatArray
    a: FloatArray


def interpolate(left: Knot, right: Knot, t: float) -> tuple[FloatArray, FloatArray]:
    """Coordinates and velocities between two states."""
    h = right.t - left.t
    ends = (left.q, left.v, left.a), (right.q, right.v, right.a)
    q, v, _ = quintic(h, (t - left.t) / h, *ends)
    return q, v


@dataclass
class Watch:
    """One event function and where it stands.

    Attributes
    ----------
    function : callable
        ``function(t, q, v)``, zero at the event; as in SciPy it may have the attributes
        ``terminal`` (True: stop there) and ``direction`` (+1, -1: only that sign of the slope).
    index : int
        Which of the user's functions it is.
    """

    function: EventFunction
    index: int
    terminal: bool
    direction: float
    times: list[float] = field(default_factory=list)
    _last: float = float("nan")

    def start(self, knot: Knot) -> None:
        """Take the value at the initial state."""
        self._last = self._value(knot.t, knot.q, knot.v)

    def crossing(self, left: Knot, right: Knot) -> float | None:
        """Time of the event between two states, if there is one."""
        before, after = self._last, self._value(right.t, right.q, right.v)
        self._last = after
        rising, falling = before < 0.0 <= after, before > 0.0 >= after
        if not (rising and self.direction >= 0.0) and not (falling and self.direction <= 0.0):
            return None
        if after == 0.0:
            return right.t

        def value(t: float) -> float:
            # The ends are known exactly; interpolation there could differ in sign by round-off.
            if t == left.t:
                return before
            return after if t == right.t else self._value(t, *interpolate(left, right, t))

        from scipy.optimize import brentq  # slow to import, and few runs have events

        return float(brentq(value, left.t, right.t, xtol=1e-13 * max(1.0, abs(right.t))))

    def _value(self, t: float, q: FloatArray, v: FloatArray) -> float:
        try:
            value = float(self.function(t, q, v))
        except (TypeError, ValueError) as error:
            raise OptionError(
                f"Event function {self.index} gives no number ({error}).",
                "It is called as event(t, q, v) and returns a number that crosses zero.",
            ) from error
        if np.isnan(value):
            raise OptionError(
                f"Event function {self.index} gives NaN at t = {t:g}.", "Return a finite number."
            )
        return value


def watches(events: Any) -> list[Watch]:
    """Make the list of watches from one function, a sequence of them or None."""
    if events is None:
        return []
    if not callable(events) and not isinstance(events, Sequence):
        raise OptionError(
            f"events is not a function but {type(events).__name__}.",
            "Give a function event(t, q, v) or a list of them.",
        )
    functions: Sequence[Any] = [events] if callable(events) else events
    found = []
    for index, function in enumerate(functions):
        if not callable(function):
            raise OptionError(
                f"Event {index} is not a function but {type(function).__name__}.",
                "Give functions event(t, q, v).",
            )
        # These two attributes are SciPy's interface of event functions: optional by definition.
        terminal = bool(getattr(function, "terminal", False))
        direction = float(getattr(function, "direction", 0.0))
        found.append(Watch(function, index, terminal, direction))
    return found
