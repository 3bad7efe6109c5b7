"""Rack and pinion: coupling of a rotation and a translation."""

from dataclasses import dataclass
from typing import Any

from mbdgen.geometry.frame_measures import difference
from mbdgen.geometry.frames import Frame
from mbdgen.geometry.symbolic_vectors import Expr
from mbdgen.joints.base import Joint


@dataclass(frozen=True)
class RackAndPinion(Joint):
    r"""Rack and pinion: the displacement `shift` follows the angle `turn` of the pinion.

    .. math:: x - x_0 = r \theta \qquad (\text{mod } 2\pi r)

    Both are measures of other joints, ``turn=pin.angle, shift=slide.displacement``. The
    displacement determines the revolutions, whose number is not limited. `radius` is that of the
    pinion, with a sign if the rack runs the other way, `offset` is :math:`x_0`. The multiplier is
    the force along the rack.

    Attributes
    ----------
    turn : scalar
        Angle of the pinion, a measure of its joint.
    shift : scalar
        Displacement of the rack, a measure of its joint.
    radius : scalar
        Radius of the pinion, r; negative if the rack runs the other way.
    offset : scalar
        Displacement :math:`x_0` where the angle is zero.
    """

    name = "rack_and_pinion"
    ends = ()

    modulo = frozenset({"turn"})

    turn: Any
    shift: Any
    radius: Any = 1.0
    offset: Any = 0.0

    def equations(self, *frames: Frame) -> list[Expr]:
        """Return the constraint equations."""
        rolled = (self.shift - self.offset) / self.radius
        return [self.radius * difference(rolled, self.turn)]
