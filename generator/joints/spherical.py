"""Common origin."""

from dataclasses import dataclass

from mbdgen.joints.base import Joint
from mbdgen.kinematics.frames import Frame
from mbdgen.kinematics.vectors import Expr


@dataclass(frozen=True)
class Spherical(Joint):
    """Common origin."""

    name = "spherical"

    def equations(self, a: Frame, b: Frame) -> list[Expr]:
        """State the joint."""
        return [*(b.r - a.r)]
