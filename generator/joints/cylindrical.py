"""Translation along and rotation about e3 of a."""

from dataclasses import dataclass

from mbdgen.geometry.frames import Frame
from mbdgen.geometry.measures import ROTATION, TRANSLATION
from mbdgen.geometry.vectors import Expr
from mbdgen.joints.base import Joint
from mbdgen.language.moves import Slide, Turn


@dataclass(frozen=True)
class Cylindrical(Joint):
    """Translation along and rotation about e3 of a."""

    name = "cylindrical"
    moves = (Slide("displacement", 3), Turn("angle"))
    axis = True
    measures = ROTATION | TRANSLATION

    def equations(self, a: Frame, b: Frame) -> list[Expr]:
        """State the joint."""
        d = b.r - a.r
        return [a.e1.dot(d), a.e2.dot(d), a.e3.dot(b.e1), a.e3.dot(b.e2)]
