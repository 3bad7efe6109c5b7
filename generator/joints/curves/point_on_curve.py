"""Point-on-curve joint: a point of b moves along a curve fixed in a."""

from dataclasses import dataclass

from mbdgen.geometry.frames import Frame
from mbdgen.geometry.symbolic_vectors import Expr
from mbdgen.joints.curves.curved import Curved
from mbdgen.language.expressions.function_argument import CURVE, Function


@dataclass(frozen=True)
class PointOnCurve(Curved):
    r"""The point of b moves along a curve in space that is fixed in a.

    .. math:: r_b - r_a = A_a c(s)

    with the components :math:`c(s)` in the axes of a, ``curve=lambda s: (cos(s), sin(s), s / 10)``,
    which must have two continuous derivatives and :math:`c' \ne 0`. The parameter s is an unknown
    without mass; `start` is its initial value, from which assembly begins.

    Attributes
    ----------
    start : scalar
        Initial parameter of the curve, from which assembly begins.
    curve : function
        The curve, ``lambda s: (x, y, z)`` in the axes of a.
    """

    name = "point_on_curve"

    curve: Function = CURVE

    def equations(self, a: Frame, b: Frame, *more: Frame) -> list[Expr]:
        """Return the constraint equations."""
        (s,) = more
        d = b.r - a.r
        x, y, z = self.curve(s.r[0])
        return [a.e1.dot(d) - x, a.e2.dot(d) - y, a.e3.dot(d) - z]
