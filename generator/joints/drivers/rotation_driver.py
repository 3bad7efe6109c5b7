"""Prescribed rotation about an axis as a function of time."""

from dataclasses import dataclass
from typing import Any

from mbdgen.geometry.frame_measures import ROTATION, angle_beyond
from mbdgen.geometry.frames import Frame
from mbdgen.geometry.symbolic_vectors import Expr
from mbdgen.joints.base import Joint


@dataclass(frozen=True)
class RotationDriver(Joint):
    r"""Prescribed rotation about e3: b's e1 is turned from a's e1 by `angle(t)`.

    .. math:: \theta - \varphi(t) = 0 \quad \text{in } (-\pi, \pi]

    The difference is taken between directions, so it has no discontinuity where the angle passes
    half a revolution, and (unlike its sine) no second solution half a revolution away. It drives
    the rotation only; add the joint (a revolute, say) that guides the motion.

    Attributes
    ----------
    angle : scalar
        Expression of time :math:`\varphi`.
    """

    name = "rotation_driver"
    drives = True
    axis = True
    measures = ROTATION

    angle: Any = 0.0

    def equations(self, a: Frame, b: Frame) -> list[Expr]:
        """Return the driving constraint."""
        return [angle_beyond(a, b, self.angle)]
