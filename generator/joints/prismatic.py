"""Translation along e3 of a; no rotation."""

from dataclasses import dataclass

from mbdgen.geometry.frame_measures import TRANSLATION
from mbdgen.geometry.frames import Frame
from mbdgen.geometry.symbolic_vectors import Expr
from mbdgen.joints.formed import FormedJoint
from mbdgen.language.markers.joint_moves import Slide


@dataclass(frozen=True)
class Prismatic(FormedJoint):
    r"""Translation along e3 of a; no rotation.

    .. math::
        a_1 \cdot d = a_2 \cdot d = 0, \qquad a_3 \cdot b_1 = a_3 \cdot b_2 = a_1 \cdot b_2 = 0,
        \qquad d = r_b - r_a
    """

    name = "prismatic"
    holds = "axis"
    meets = False
    moves = (Slide("displacement", 3),)
    axis = True
    measures = TRANSLATION

    def guides(self, a: Frame, b: Frame) -> list[Expr]:
        """Point b stays on the axis."""
        d = b.r - a.r
        return [a.e1.dot(d), a.e2.dot(d)]

    def directions(self, a: Frame, b: Frame) -> list[Expr]:
        """Axes e3 stay parallel."""
        return [a.e3.dot(b.e1), a.e3.dot(b.e2)]

    def besides(self, a: Frame, b: Frame) -> list[Expr]:
        """It does not turn about the axis."""
        return [a.e1.dot(b.e2)]
