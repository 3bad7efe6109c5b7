"""Numbers that a user passes to the runtime."""

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
