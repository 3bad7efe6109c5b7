"""Axes e3 of a and b stay parallel (two equations; no common point)."""

from dataclasses import dataclass

from mbdgen.joints.base import Joint
from mbdgen.kinematics.frames import Frame
from mbdgen.kinematics.measures import ROTATION
from mbdgen.kinematics.vectors import Expr


@dataclass(frozen=True)
class CommonVector(Joint):
    """Axes e3 of a and b stay parallel (two equations; no common point)."""

    name = "common_vector"
    rotation = "about e3"
    axis = True
    measures = ROTATION

    def equations(self, a: Frame, b: Frame) -> list[Expr]:
        """State the joint."""
        return [a.e3.dot(b.e1), a.e3.dot(b.e2)]
