"""Common origin; axis e3 of a stays normal to e1 and e2 of b."""

from dataclasses import dataclass

from mbdgen.geometry.frames import Frame
from mbdgen.geometry.measures import ROTATION
from mbdgen.geometry.vectors import Expr
from mbdgen.joints.base import Joint
from mbdgen.language.moves import Turn


@dataclass(frozen=True)
class Revolute(Joint):
    """Common origin; axis e3 of a stays normal to e1 and e2 of b."""

    name = "revolute"
    moves = (Turn("angle"),)
    axis = True
    measures = ROTATION

    def equations(self, a: Frame, b: Frame) -> list[Expr]:
        """State the joint."""
        return [*(b.r - a.r), a.e3.dot(b.e1), a.e3.dot(b.e2)]
