"""Common origin; e3 of a (axis_a) stays normal to e3 of b (axis_b)."""

from dataclasses import dataclass

from mbdgen.joints.base import Joint
from mbdgen.symbolic.frames import Frame
from mbdgen.symbolic.vectors import Expr


@dataclass(frozen=True)
class Universal(Joint):
    """Common origin; e3 of a (axis_a) stays normal to e3 of b (axis_b)."""

    name = "universal"
    axis = True

    def equations(self, a: Frame, b: Frame) -> list[Expr]:
        """State the joint."""
        return [*(b.r - a.r), a.e3.dot(b.e3)]
