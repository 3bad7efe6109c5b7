"""Constant angle between two bars, by the scalar or the cross product."""

from dataclasses import dataclass
from typing import Any

from mbdgen.geometry.frames import Frame
from mbdgen.geometry.functions import cos, sin
from mbdgen.geometry.symbolic_vectors import Expr
from mbdgen.joints.base import Joint
from mbdgen.language.expressions.scalars import atan2, is_number
from mbdgen.language.expressions.small_vectors import dot
from mbdgen.language.markers.marker import Marker


@dataclass(frozen=True)
class BarAngle(Joint):
    r"""The angle about e3 from a's e1 to b's e1 is constant; of second degree in directions.

    .. math:: e_1^a \cdot e_1^b - \cos\varphi = 0 \quad \text{or} \quad
              e_2^a \cdot e_1^b - \sin\varphi = 0

    The scalar product is used where its derivative, the sine, is larger: for angles from 45 to 135
    degrees and from 225 to 315. Elsewhere it is the cross product, with the cosine as derivative.
    Either has a second solution; assembly finds the nearer one. In natural coordinates both are
    quadratic, unlike `relative_angle`, which also follows a function of time.

    Attributes
    ----------
    angle : scalar, optional
        Angle :math:`\varphi` that is kept; that of the initial position by default.
    by_cosine : bool, optional
        Which equation is used; by default the one with the larger derivative.
    """

    name = "bar_angle"
    axis = True

    angle: Any = None
    by_cosine: bool | None = None

    def defaults(self, *markers: Marker) -> dict[str, Any]:
        """Return the initial angle as default, and the better-conditioned product."""
        (a1, a2, _), (b1, _, _) = (marker.global_axes for marker in markers)
        along, across = dot(a1, b1), dot(a2, b1)
        known = is_number(along) and is_number(across)
        return {"angle": atan2(across, along), "by_cosine": known and abs(along) < abs(across)}

    def equations(self, a: Frame, b: Frame) -> list[Expr]:
        """Return the constraint equations."""
        if self.by_cosine:
            return [a.e1.dot(b.e1) - cos(self.angle)]
        return [a.e2.dot(b.e1) - sin(self.angle)]
