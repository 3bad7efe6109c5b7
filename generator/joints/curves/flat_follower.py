"""Flat-faced cam follower, in permanent contact with the profile."""

from dataclasses import dataclass

from mbdgen.geometry.frames import Frame
from mbdgen.geometry.symbolic_vectors import Expr
from mbdgen.joints.curves.curved import Curved
from mbdgen.language.expressions.function_argument import PLANE_CURVE, Function


@dataclass(frozen=True)
class FlatFollower(Curved):
    r"""The plane through b with normal e3 of b touches the profile ``(x(s), y(s))`` of a cam.

    .. math:: n \cdot (r_a + A_a c(s) - r_b) = 0, \quad n \cdot A_a c'(s) = 0

    The profile lies in the plane of a with normal e3 of a: give `axis_a`, the axis of the cam, and
    `axis_b`, the normal of the face. The profile must be curved everywhere and have three
    continuous derivatives. There is no lift-off: the sign of the first multiplier indicates it.

    Attributes
    ----------
    start : scalar
        Initial parameter of the profile, from which assembly begins.
    curve : function
        The profile, ``lambda s: (x, y)`` in the plane of a.
    """

    name = "flat_follower"
    axis = True

    curve: Function = PLANE_CURVE

    def equations(self, a: Frame, b: Frame, *more: Frame) -> list[Expr]:
        """Return the constraint equations."""
        (s,) = more
        x, y = self.curve(s.r[0])
        dx, dy = self.curve.derivative()(s.r[0])
        touch = a.r + a.e1 * x + a.e2 * y - b.r
        return [b.e3.dot(touch), b.e3.dot(a.e1 * dx + a.e2 * dy)]
