"""Translation along e3 of a; no rotation."""

from dataclasses import dataclass

from mbdgen.geometry.frames import Frame
from mbdgen.geometry.measures import TRANSLATION
from mbdgen.geometry.vectors import Expr
from mbdgen.joints.base import Joint
from mbdgen.language.moves import Slide


@dataclass(frozen=True)
class Prismatic(Joint):
    """Translation along e3 of a; no rotation."""

    name = "prismatic"
    moves = (Slide("displacement", 3),)
    axis = True
    measures = TRANSLATION

    def equations(self, a: Frame, b: Frame) -> list[Expr]:
        """State the joint."""
        d = b.r - a.r
        return [
            a.e1.dot(d),
            a.e2.dot(d),
            a.e3.dot(b.e1),
            a.e3.dot(b.e2),
            a.e1.dot(b.e2),
        ]
