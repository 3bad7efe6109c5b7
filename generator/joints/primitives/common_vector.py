"""Axes e3 of a and b stay parallel (two equations; no common point)."""

from dataclasses import dataclass

from mbdgen.geometry.frame_measures import ROTATION
from mbdgen.geometry.frames import Frame
from mbdgen.geometry.symbolic_vectors import Expr
from mbdgen.joints.base import Joint
from mbdgen.language.markers.joint_moves import Slide, Turn


@dataclass(frozen=True)
class CommonVector(Joint):
    r"""Axes e3 of a and b stay parallel (two equations; no common point).

    .. math:: a_3 \cdot b_1 = 0, \qquad a_3 \cdot b_2 = 0
    """

    name = "common_vector"
    moves = (Slide("x", 1), Slide("y", 2), Slide("z", 3), Turn("angle"))
    axis = True
    measures = ROTATION

    def equations(self, a: Frame, b: Frame) -> list[Expr]:
        """Return the constraint equations."""
        return [a.e3.dot(b.e1), a.e3.dot(b.e2)]
