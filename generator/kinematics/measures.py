"""Relative coordinates, which a joint offers by listing `ROTATION` or `TRANSLATION`."""

from typing import Any

from mbdgen.kinematics.frames import Frame
from mbdgen.kinematics.functions import atan2
from mbdgen.kinematics.vectors import Expr


def angle(a: Frame, b: Frame) -> Expr:
    """Angle about e3 by which b's e1 is turned from a's e1, in (-pi, pi]."""
    return atan2(a.e2.dot(b.e1), a.e1.dot(b.e1))


def angle_rate(a: Frame, b: Frame) -> Expr:
    """Relative angular velocity about a's e3."""
    return a.e3.dot(b.w - a.w)


def displacement(a: Frame, b: Frame) -> Expr:
    """Distance along a's e3 from a to b."""
    return a.e3.dot(b.r - a.r)


def displacement_rate(a: Frame, b: Frame) -> Expr:
    """Rate of `displacement` while a's axis turns with its body."""
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
