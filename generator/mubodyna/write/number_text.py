"""Readable numbers: ``2 * pi`` and ``sqrt(3) / 2`` where these are exact."""

import math
from collections.abc import Iterable, Sequence

from mbdgen.mubodyna.write.call_text import CallGroup, items

_SHORT = 8
"""Digits of a decimal number that needs no other form."""
_EQUAL = 4e-16
_SQUARES = (2, 3, 5, 6)
_MOST = 24


def number(x: float) -> str:
    """Return a number as text."""
    if float(x).is_integer() and abs(x) < 1e15:
        power = f"{x:g}".replace("e+", "e")
        return power if len(power) < len(str(int(x))) - 2 and float(power) == x else str(int(x))
    text = repr(float(x))
    if len(text.lstrip("-0.").replace(".", "")) <= _SHORT or "e" in text:
        return text
    return _special(x) or text


def _special(x: float) -> str:
    """Return a fraction of pi or of a root that equals this number up to rounding, or nothing."""
    roots = (("pi", math.pi), *((f"sqrt({n})", math.sqrt(n)) for n in _SQUARES))
    for word, value in roots:
        for below in (1, 2, 3, 4, 5, 6, 8, 12):
            above = round(x / value * below)
            if 0 < abs(above) <= _MOST and abs(above * value / below - x) <= _EQUAL * abs(x):
                return _fraction(above, word, below)
    return ""


def _fraction(above: int, word: str, below: int) -> str:
    sign = "-" if above < 0 else ""
    product = word if abs(above) == 1 else f"{abs(above)} * {word}"
    return f"{sign}{product}" if below == 1 else f"{sign}{product} / {below}"


def numbers(values: Iterable[float]) -> list[str]:
    """Return numbers as texts."""
    return [number(x) for x in values]


def vector(values: Sequence[float]) -> CallGroup:
    """Return a tuple of numbers."""
    return items(*numbers(values))


def matrix(rows: Sequence[Sequence[float]]) -> CallGroup:
    """Return a tuple of rows."""
    return items(*map(vector, rows))
