"""Common origin."""

from dataclasses import dataclass

from mbdgen.geometry.frames import Frame
from mbdgen.geometry.vectors import Expr
from mbdgen.joints.base import Joint
from mbdgen.language.moves import Ball


@dataclass(frozen=True)
class Spherical(Joint):
    """Common origin."""

    name = "spherical"
    moves = (Ball(),)

    def equations(self, a: Frame, b: Frame) -> list[Expr]:
        """State the joint."""
        return [*(b.r - a.r)]
