"""Weld: common origin and common axes, as they are at the start."""

from dataclasses import dataclass

from mbdgen.geometry.frames import Frame
from mbdgen.geometry.vectors import Expr
from mbdgen.joints.base import Joint


@dataclass(frozen=True)
class Fixed(Joint):
    """Weld: common origin and common axes, as they are at the start."""

    name = "fixed"
    moves = ()
    keeps_orientation = True

    def equations(self, a: Frame, b: Frame) -> list[Expr]:
        """State the joint."""
        return [*(b.r - a.r), a.e3.dot(b.e1), a.e3.dot(b.e2), a.e1.dot(b.e2)]
