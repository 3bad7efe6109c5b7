"""Common origin."""

from dataclasses import dataclass

from mbdgen.joints.base import Joint
from mbdgen.kinematics.frames import Frame
from mbdgen.kinematics.vectors import Expr
from mbdgen.language.moves import Ball


@dataclass(frozen=True)
class Spherical(Joint):
    """Common origin."""

    name = "spherical"
    moves = (Ball(),)

    def equations(self, a: Frame, b: Frame) -> list[Expr]:
        """State the joint."""
        return [*(b.r - a.r)]
