"""Rotational spring, damper and motor about the common axis of two frames."""

from dataclasses import dataclass
from math import pi
from typing import Any

from mbdgen.forces.base import Force, FrameLoad
from mbdgen.geometry.frame_measures import angle_rate
from mbdgen.geometry.frames import Frame
from mbdgen.geometry.symbolic_vectors import Expr
from mbdgen.language.expressions.function_argument import DEVICE, Function


@dataclass(frozen=True)
class TorsionSpring(Force):
    r"""Rotational spring, damper and motor about axis e3 of a.

    .. math::
        V = \tfrac12 k (\theta - \theta_0)^2, \qquad
        M = -k (\theta - \theta_0) - c \dot\theta - L(\theta - \theta_0, \dot\theta) + m(t)

    where :math:`\theta` is the unwrapped angle from a's e1 to b's e1, and M acts on b. Initially it
    is within half a revolution of `rest`, plus the `turns` by which the spring is wound. The law L
    is ``law=lambda x, v: ...``; its power is counted as work. Combine it with a joint that aligns
    the axes.

    Attributes
    ----------
    stiffness : scalar
        Spring constant k.
    rest : scalar
        Unstressed angle :math:`\theta_0`.
    turns : scalar
        Integer revolutions by which it is wound initially.
    damping : scalar
        Damping constant c.
    moment : scalar
        Additional moment m, an expression of time, parameters and placeholders.
    law : function
        Additional moment L, ``lambda x, v: ...`` of the angle and its rate.
    """

    name = "torsion_spring"
    axis = True
    measures = {"angle": 1, "moment": 1, "energy": 1}
    units = {"angle": "rad", "moment": "N m", "energy": "J"}

    stiffness: Any = 0.0
    rest: Any = 0.0
    turns: Any = 0
    damping: Any = 0.0
    moment: Any = 0.0
    law: Function = DEVICE

    def potential(self, *frames: Frame) -> Expr:
        """Energy of the spring."""
        a, b = frames
        return self.stiffness * self._deflection(a, b) ** 2 / 2

    def dissipation(self, *frames: Frame) -> Expr:
        """Half the power lost in the damper."""
        a, b = frames
        return self.damping * angle_rate(a, b) ** 2 / 2

    def loads(self, *frames: Frame) -> list[FrameLoad]:
        """Moment of the motor and of the law."""
        a, b = frames
        moment = a.e3 * self._given(a, b)
        return [FrameLoad(a, torque=-moment), FrameLoad(b, torque=moment)]

    def measure(self, name: str, *frames: Any) -> Expr:
        """Angle, total moment on b, or stored energy."""
        a, b = frames
        if name == "angle":
            return self.rest + self._deflection(a, b)
        if name == "energy":
            return self.potential(a, b)
        spring = self.stiffness * self._deflection(a, b)
        return self._given(a, b) - spring - self.damping * angle_rate(a, b)

    def _given(self, a: Frame, b: Frame) -> Expr:
        """Return the moment of motor and law, without linear spring and damper."""
        return self.moment - self.law(self._deflection(a, b), angle_rate(a, b))

    def _deflection(self, a: Frame, b: Frame) -> Expr:
        # Relative to the rest position: initially within half a revolution of it.
        from mbdgen.geometry.functions import atan2, cos, sin

        c, s = cos(self.rest), sin(self.rest)
        x = a.tape.name("cos_theta", a.e1.dot(b.e1))
        y = a.tape.name("sin_theta", a.e2.dot(b.e1))
        deflection = a.tape.angle(atan2(c * y - s * x, c * x + s * y))
        return a.tape.name("deflection", deflection + 2 * pi * self.turns)
