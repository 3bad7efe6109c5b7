"""Point b stays in the plane through a with normal e3 of a."""

from dataclasses import dataclass

from mbdgen.geometry.frames import Frame
from mbdgen.geometry.symbolic_vectors import Expr
from mbdgen.joints.base import Joint
from mbdgen.language.markers.joint_moves import Ball, Slide


@dataclass(frozen=True)
class PointInPlane(Joint):
    r"""Point b stays in the plane through a with normal e3 of a.

    .. math:: a_3 \cdot (r_b - r_a) = 0
    """

    name = "point_in_plane"
    moves = (Slide("x", 1), Slide("y", 2), Ball())
    axis = True

    def equations(self, a: Frame, b: Frame) -> list[Expr]:
        """Return the constraint equations."""
        return [a.e3.dot(b.r - a.r)]
