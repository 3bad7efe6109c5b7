"""Weld: common origin and common axes, as they are at the start."""

from dataclasses import dataclass

from mbdgen.geometry.frames import Frame
from mbdgen.geometry.vectors import Expr
from mbdgen.joints.formed import FormedJoint


@dataclass(frozen=True)
class Fixed(FormedJoint):
    """Weld: common origin and common axes, as they are at the start."""

    name = "fixed"
    holds = "all"
    moves = ()
    keeps_orientation = True

    def directions(self, a: Frame, b: Frame) -> list[Expr]:
        """All axes stay parallel."""
        return [a.e3.dot(b.e1), a.e3.dot(b.e2), a.e1.dot(b.e2)]
