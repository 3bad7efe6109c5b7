"""Constant or prescribed relative angle about an axis."""

from dataclasses import dataclass
from typing import Any

from mbdgen.geometry.frame_measures import ROTATION, angle_beyond
from mbdgen.geometry.frames import Frame
from mbdgen.geometry.symbolic_vectors import Expr
from mbdgen.joints.base import Joint
from mbdgen.language.expressions.scalars import atan2
from mbdgen.language.expressions.small_vectors import dot
from mbdgen.language.markers.marker import Marker


@dataclass(frozen=True)
class RelativeAngle(Joint):
    r"""The angle about e3 from a's e1 to b's e1 keeps `start`, plus a function of time.

    .. math:: \theta - \theta_0 - f(t) = 0 \quad \text{in } (-\pi, \pi]

    Without `start` it is the initial angle, so that f is the rotation from there. It constrains the
    rotation only; add the joint (a revolute, say) that guides the motion.

    Attributes
    ----------
    function : scalar
        Rotation f from there, an expression of time.
    start : scalar, optional
        Angle :math:`\theta_0`; that of the initial position by default.
    """

    name = "relative_angle"
    axis = True
    measures = ROTATION

    function: Any = 0.0
    start: Any = None

    def defaults(self, *markers: Marker) -> dict[str, Any]:
        """Return the initial angle as default."""
        (a1, a2, _), (b1, _, _) = (marker.global_axes for marker in markers)
        return {"start": atan2(dot(a2, b1), dot(a1, b1))}

    def equations(self, a: Frame, b: Frame) -> list[Expr]:
        """Return the constraint equations."""
        return [angle_beyond(a, b, self.start + self.function)]
