"""Constant or prescribed distance along an axis."""

from dataclasses import dataclass
from typing import Any

from mbdgen.geometry.frame_measures import TRANSLATION
from mbdgen.geometry.frames import Frame
from mbdgen.geometry.symbolic_vectors import Expr
from mbdgen.joints.base import Joint
from mbdgen.language.expressions.small_vectors import dot, minus
from mbdgen.language.markers.marker import Marker


@dataclass(frozen=True)
class RelativeTranslation(Joint):
    r"""The distance along e3 of a from a to b keeps `start`, plus a function of time.

    .. math:: a_3 \cdot (r_b - r_a) - z_0 - f(t) = 0

    Without `start` it is the initial distance, so that the function is the displacement from there.

    Attributes
    ----------
    function : scalar
        Displacement f, an expression of time.
    start : scalar, optional
        Distance :math:`z_0`; that of the initial position by default.
    """

    name = "relative_translation"
    axis = True
    measures = TRANSLATION

    function: Any = 0.0
    start: Any = None

    def defaults(self, *markers: Marker) -> dict[str, Any]:
        """Return the initial distance as default."""
        a, b = markers
        return {"start": dot(a.global_axes[2], minus(b.global_point, a.global_point))}

    def equations(self, a: Frame, b: Frame) -> list[Expr]:
        """Return the constraint equations."""
        return [a.e3.dot(b.r - a.r) - self.start - self.function]
