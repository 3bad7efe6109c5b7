"""Relative coordinates of two frames, offered by joints that list `ROTATION` or `TRANSLATION`."""

from typing import Any

from mbdgen.geometry.frames import Frame
from mbdgen.geometry.functions import atan2, cos, sin
from mbdgen.geometry.symbolic_vectors import Expr


def angle(a: Frame, b: Frame) -> Expr:
    """Angle about e3 by which b's e1 is turned from a's e1, in (-pi, pi]."""
    return atan2(a.e2.dot(b.e1), a.e1.dot(b.e1))


def angle_beyond(a: Frame, b: Frame, target: Expr) -> Expr:
    """`angle` minus a target of any size, in (-pi, pi].

    The difference is taken between directions, so it has no discontinuity where the angle itself
    passes a half turn, and (unlike its sine) no second zero half a turn away.
    """
    c, s = cos(target), sin(target)
    x, y = a.e1.dot(b.e1), a.e2.dot(b.e1)
    return atan2(c * y - s * x, c * x + s * y)


def difference(first: Expr, second: Expr) -> Expr:
    """First minus second of two angles, in (-pi, pi]: smooth where they agree modulo a turn."""
    return atan2(sin(first - second), cos(first - second))


def angle_rate(a: Frame, b: Frame) -> Expr:
    """Relative angular velocity about a's e3."""
    return a.e3.dot(b.w - a.w)


def displacement(a: Frame, b: Frame) -> Expr:
    """Distance along a's e3 from a to b."""
    return a.e3.dot(b.r - a.r)


def displacement_rate(a: Frame, b: Frame) -> Expr:
    """Rate of `displacement`; the axis of a rotates with its body."""
    return a.e3.dot(b.v - a.v - a.w.cross(b.r - a.r))


ROTATION = {"angle": 1, "rate": 1}
TRANSLATION = {"displacement": 1, "speed": 1}
UNITS = {"angle": "rad", "rate": "rad/s", "displacement": "m", "speed": "m/s"}
ANGLES = frozenset({"angle"})

_FORMULAS = {
    "angle": angle,
    "rate": angle_rate,
    "displacement": displacement,
    "speed": displacement_rate,
}


def relative(name: str, *frames: Any) -> Expr:
    """Return the relative coordinate of that name."""
    return _FORMULAS[name](*frames)
