"""Weld: common origin and common axes, as they are at the start."""

from dataclasses import dataclass

from mbdgen.geometry.frames import Frame
from mbdgen.geometry.symbolic_vectors import Expr
from mbdgen.joints.formed import FormedJoint


@dataclass(frozen=True)
class Fixed(FormedJoint):
    r"""Weld: common origin and common axes, as they are at the start.

    .. math:: r_b - r_a = 0, \qquad a_3 \cdot b_1 = a_3 \cdot b_2 = a_1 \cdot b_2 = 0
    """

    name = "fixed"
    holds = "all"
    moves = ()
    keeps_orientation = True

    def directions(self, a: Frame, b: Frame) -> list[Expr]:
        """All axes stay parallel."""
        return [a.e3.dot(b.e1), a.e3.dot(b.e2), a.e1.dot(b.e2)]
