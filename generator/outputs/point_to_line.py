"""Distance of a point from a line."""

from dataclasses import dataclass

from mbdgen.geometry.frames import Frame
from mbdgen.geometry.symbolic_vectors import Expr
from mbdgen.outputs.base import OutputKind


@dataclass(frozen=True)
class PointToLine(OutputKind):
    r"""Distance of the point of `b` from the line through the point of `a` along its e3, in m.

    .. math:: |a_3 \times (r_b - r_a)|

    ``|e3 x (r_b - r_a)|``, accurate near the line; never negative.
    """

    name = "point_to_line"
    axis = True
    unit = "m"

    def value(self, *frames: Frame) -> Expr:
        """Return the distance."""
        a, b = frames
        return a.e3.cross(b.r - a.r).norm()
