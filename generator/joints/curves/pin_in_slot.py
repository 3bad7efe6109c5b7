"""Pin-in-slot joint: a pin of b moves along a planar slot of a."""

from dataclasses import dataclass

from mbdgen.geometry.frames import Frame
from mbdgen.geometry.symbolic_vectors import Expr
from mbdgen.joints.curves.curved import Curved
from mbdgen.language.expressions.function_argument import PLANE_CURVE, Function


@dataclass(frozen=True)
class PinInSlot(Curved):
    r"""The point of b moves along a slot ``(x(s), y(s))`` in the plane of a with normal e3.

    .. math:: e_1 \cdot d = x(s), \quad e_2 \cdot d = y(s), \qquad d = r_b - r_a

    Motion along e3 is free: other joints keep both bodies in one plane. The curve must be regular
    (non-zero derivative) with two continuous derivatives; its parameter s is a massless unknown.

    Attributes
    ----------
    start : scalar
        Initial parameter of the curve, from which assembly begins.
    curve : function
        The slot, ``lambda s: (x, y)`` in the plane of a.
    """

    name = "pin_in_slot"
    axis = True

    curve: Function = PLANE_CURVE

    def equations(self, a: Frame, b: Frame, *more: Frame) -> list[Expr]:
        """Return the constraint equations."""
        (s,) = more
        d = b.r - a.r
        x, y = self.curve(s.r[0])
        return [a.e1.dot(d) - x, a.e2.dot(d) - y]
