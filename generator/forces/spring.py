"""Translational spring, damper and actuator between two points."""

from dataclasses import dataclass
from typing import Any

from mbdgen.forces.base import Force, FrameLoad
from mbdgen.geometry.frames import Frame
from mbdgen.geometry.symbolic_vectors import Expr
from mbdgen.language import drawing
from mbdgen.language.drawing import Shape
from mbdgen.language.expressions.function_argument import DEVICE, Function
from mbdgen.language.expressions.small_vectors import minus, norm
from mbdgen.language.markers.marker import Marker


@dataclass(frozen=True)
class Spring(Force):
    r"""Translational spring, damper and actuator between two points.

    .. math::
        V = \tfrac12 k (l - l_0)^2, \qquad
        F = k (l - l_0) + c \dot l + f(t) + L(l - l_0, \dot l)

    with the tension F pulling the points together. `force` may be any expression of time,
    parameters and placeholders, ``law=lambda x, v: ...`` any function of elongation and speed,
    whose power is counted as work; without `length` the spring is unstressed at the start.

    Attributes
    ----------
    stiffness : scalar
        Spring constant k.
    length : scalar, optional
        Unstressed length :math:`l_0`; that of the initial position by default.
    damping : scalar
        Damping constant c.
    force : scalar
        Additional tension f, an expression of time, parameters and placeholders.
    law : function
        Additional tension L, ``lambda x, v: ...`` of elongation and speed.
    """

    name = "spring"
    apart = True
    measures = {"length": 1, "tension": 1, "energy": 1}
    units = {"length": "m", "tension": "N", "energy": "J"}

    stiffness: Any = 0.0
    length: Any = None
    damping: Any = 0.0
    force: Any = 0.0
    law: Function = DEVICE

    def defaults(self, *markers: Marker) -> dict[str, Any]:
        """Return the initial length as default."""
        a, b = markers
        return {"length": norm(minus(b.global_point, a.global_point))}

    def picture(self, *markers: Marker) -> list[Shape]:
        """Draw a coil between its ends."""
        return [drawing.Coil(markers)]

    def potential(self, *frames: Frame) -> Expr:
        """Energy of the spring."""
        return self.stiffness * (_length(*frames) - self.length) ** 2 / 2

    def dissipation(self, *frames: Frame) -> Expr:
        """Half the power lost in the damper."""
        return self.damping * _rate(*frames) ** 2 / 2

    def loads(self, *frames: Frame) -> list[FrameLoad]:
        """Return the tension of the actuator and of the law."""
        a, b = frames
        pull = (b.r - a.r) * (self._given(a, b) / _length(a, b))
        return [FrameLoad(a, pull), FrameLoad(b, -pull)]

    def measure(self, name: str, *frames: Any) -> Expr:
        """Length, total tension, or stored energy."""
        length = _length(*frames)
        if name == "length":
            return length
        if name == "energy":
            return self.potential(*frames)
        spring = self.stiffness * (length - self.length)
        return spring + self.damping * _rate(*frames) + self._given(*frames)

    def _given(self, a: Frame, b: Frame) -> Expr:
        """Return the tension of actuator and law, without linear spring and damper."""
        return self.force + self.law(_length(a, b) - self.length, _rate(a, b))


def _length(a: Frame, b: Frame) -> Expr:
    return a.tape.name("l", (b.r - a.r).norm())


def _rate(a: Frame, b: Frame) -> Expr:
    return (b.r - a.r).dot(b.v - a.v) / _length(a, b)
