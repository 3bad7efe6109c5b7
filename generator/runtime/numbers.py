"""Numbers that a user passes to the runtime, and counts that he reads."""

import math

import numpy as np


def finite(value: object) -> float | None:
    """Return a finite real number as float, anything else (also a text or a bool) as None."""
    if isinstance(value, str | bytes | bytearray | bool | np.bool_):
        return None
    try:
        number = float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):
        return None
    return number if math.isfinite(number) else None


def counted(count: int, noun: str, plural: str = "") -> str:
    """Return ``1 member`` or ``2 members``; irregular plurals are given."""
    return f"{count} {noun}" if count == 1 else f"{count} {plural or noun + 's'}"
