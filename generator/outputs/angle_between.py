"""Angle between two axes."""

from dataclasses import dataclass

from mbdgen.geometry.frames import Frame
from mbdgen.geometry.functions import atan2, sqrt
from mbdgen.geometry.symbolic_vectors import Expr
from mbdgen.outputs.base import OutputKind


@dataclass(frozen=True)
class AngleBetween(OutputKind):
    r"""Angle between the axes e3 of `a` and `b`, from 0 to pi.

    .. math:: \varphi = \operatorname{atan2}(|a_3 \times b_3|, a_3 \cdot b_3)

    ``atan2(|e_a x e_b|, e_a . e_b)``, accurate for nearly parallel axes.
    """

    name = "angle_between"
    axis = True
    unit = "rad"

    def value(self, *frames: Frame) -> Expr:
        """Return the angle."""
        a, b = frames
        normal = a.e3.cross(b.e3)
        return atan2(sqrt(normal.dot(normal)), a.e3.dot(b.e3))
