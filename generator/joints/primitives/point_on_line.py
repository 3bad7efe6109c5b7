"""Point b stays on the line through a along e3 of a."""

from dataclasses import dataclass

from mbdgen.geometry.frame_measures import TRANSLATION
from mbdgen.geometry.frames import Frame
from mbdgen.geometry.symbolic_vectors import Expr
from mbdgen.joints.base import Joint
from mbdgen.language.markers.joint_moves import Ball, Slide


@dataclass(frozen=True)
class PointOnLine(Joint):
    r"""Point b stays on the line through a along e3 of a.

    .. math:: a_1 \cdot (r_b - r_a) = 0, \qquad a_2 \cdot (r_b - r_a) = 0
    """

    name = "point_on_line"
    moves = (Slide("displacement", 3), Ball())
    axis = True
    measures = TRANSLATION

    def equations(self, a: Frame, b: Frame) -> list[Expr]:
        """Return the constraint equations."""
        d = b.r - a.r
        return [a.e1.dot(d), a.e2.dot(d)]
