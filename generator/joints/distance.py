"""Massless rod: constant distance between two points."""

from dataclasses import dataclass
from typing import Any

from mbdgen.geometry.frames import Frame
from mbdgen.geometry.symbolic_vectors import Expr
from mbdgen.joints.base import Joint
from mbdgen.language import drawing
from mbdgen.language.drawing import Shape
from mbdgen.language.expressions.small_vectors import minus, norm
from mbdgen.language.markers.marker import Marker


@dataclass(frozen=True)
class Distance(Joint):
    r"""Massless rod: constant distance between two points.

    .. math:: \frac{|r_b - r_a|^2 - L^2}{2 L} = 0

    Divided by twice the length, so that the residual is a length and the multiplier a force.

    Attributes
    ----------
    length : scalar, optional
        Distance L; that of the initial position by default.
    """

    name = "distance"
    apart = True
    positive = frozenset({"length"})

    length: Any = None

    def defaults(self, *markers: Marker) -> dict[str, Any]:
        """Return the initial length as default."""
        a, b = markers
        return {"length": norm(minus(b.global_point, a.global_point))}

    def picture(self, *markers: Marker) -> list[Shape]:
        """Draw the rod."""
        return [drawing.Rod(markers)]

    def equations(self, a: Frame, b: Frame) -> list[Expr]:
        """Return the constraint equations."""
        d = b.r - a.r
        return [(d.dot(d) - self.length**2) / (2 * self.length)]
