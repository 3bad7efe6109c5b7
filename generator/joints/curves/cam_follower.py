"""Cam with roller follower, in permanent contact with the profile."""

from dataclasses import dataclass
from typing import Any

from mbdgen.geometry.frames import Frame
from mbdgen.geometry.functions import sqrt
from mbdgen.geometry.symbolic_vectors import Expr
from mbdgen.joints.curves.pin_in_slot import PinInSlot
from mbdgen.language.expressions.function_argument import PLANE_CURVE, Function


@dataclass(frozen=True)
class CamFollower(PinInSlot):
    r"""The centre of a roller of b keeps its radius from the profile ``(x(s), y(s))`` of a cam.

    .. math::
        e_1 \cdot d = x + \rho \frac{y'}{|c'|}, \quad e_2 \cdot d = y - \rho \frac{x'}{|c'|}

    The profile lies in the plane of a with normal e3 and runs counter-clockwise around the cam, so
    that the roller is outside; a negative radius is one inside. With the radius zero it is a point.
    The profile must have three continuous derivatives for a roller, and where it is concave a
    curvature below that of the roller. There is no lift-off: a negative multiplier indicates it.

    Attributes
    ----------
    start : scalar
        Initial parameter of the profile, from which assembly begins.
    curve : function
        The profile, ``lambda s: (x, y)`` in the plane of a.
    radius : scalar
        Radius of the roller, :math:`\rho`.
    """

    name = "cam_follower"

    curve: Function = PLANE_CURVE
    radius: Any = 0.0

    def equations(self, a: Frame, b: Frame, *more: Frame) -> list[Expr]:
        """Return the constraint equations."""
        (s,) = more
        u, d = s.r[0], b.r - a.r
        x, y = self.curve(u)
        dx, dy = (s.tape.name("slope", e) for e in self.curve.derivative()(u))
        arm = self.radius / sqrt(dx**2 + dy**2)
        return [a.e1.dot(d) - x - arm * dy, a.e2.dot(d) - y + arm * dx]
