"""Prescribed distance along an axis as a function of time."""

from dataclasses import dataclass
from typing import Any

from mbdgen.geometry.frame_measures import TRANSLATION
from mbdgen.geometry.frames import Frame
from mbdgen.geometry.symbolic_vectors import Expr
from mbdgen.joints.base import Joint


@dataclass(frozen=True)
class TranslationDriver(Joint):
    r"""Prescribed position of b along e3 of a, measured from a: `distance(t)`.

    .. math:: a_3 \cdot (r_b - r_a) - z(t) = 0

    Attributes
    ----------
    distance : scalar
        Expression of time z.
    """

    name = "translation_driver"
    drives = True
    axis = True
    measures = TRANSLATION

    distance: Any = 0.0

    def equations(self, a: Frame, b: Frame) -> list[Expr]:
        """Return the driving constraint."""
        return [a.e3.dot(b.r - a.r) - self.distance]
