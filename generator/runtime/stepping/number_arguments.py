"""Validation of numbers passed by users."""

import math

import numpy as np

from mbdgen.errors import OptionError


def finite(value: object) -> float | None:
    """Return a finite real number as float; None for anything else (also a text or a bool)."""
    if isinstance(value, str | bytes | bytearray | bool | np.bool_):
        return None
    try:
        number = float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):
        return None
    return number if math.isfinite(number) else None


def number(name: str, value: object) -> float:
    """Return a finite number or raise an `OptionError`."""
    result = finite(value)
    if result is None:
        raise OptionError(f"'{name}' = {value!r} is not a finite number.", "Give a number.")
    return result
