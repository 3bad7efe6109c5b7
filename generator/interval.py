"""Intervals of real numbers: the valid range of a value, for checks and for error messages."""

import math
from dataclasses import dataclass


@dataclass(frozen=True)
class Interval:
    """Interval of real numbers.

    Attributes
    ----------
    low, high : float
        Its bounds, which may be infinite.
    ends : str
        Closed or open, as in mathematics: ``"()"``, ``"[)"``, ``"(]"`` or ``"[]"``.
    """

    low: float = -math.inf
    high: float = math.inf
    ends: str = "()"

    def __contains__(self, x: float) -> bool:
        above = x >= self.low if self.ends[0] == "[" else x > self.low
        return above and (x <= self.high if self.ends[1] == "]" else x < self.high)

    def __str__(self) -> str:
        return f"{self.ends[0]}{self.low!r}, {self.high!r}{self.ends[1]}"

    @classmethod
    def of(cls, text: str) -> "Interval":
        """Parse an interval such as ``(0.0, inf)``."""
        low, high = text[1:-1].split(",")
        return cls(float(low), float(high), text[0] + text[-1])

    @property
    def advice(self) -> str:
        """Return the remedy for a number outside."""
        if self.high < math.inf:
            return f"Give a number in {self.ends[0]}{self.low:g}, {self.high:g}{self.ends[1]}."
        if self.low == 0.0:
            return "Give a positive number." if self.ends[0] == "(" else "Give zero or more."
        return f"Give {'more than' if self.ends[0] == '(' else 'at least'} {self.low:g}."


POSITIVE = Interval(0.0)
NOT_NEGATIVE = Interval(0.0, ends="[)")
ZERO = Interval(-1e-12, 1e-12, "[]")
