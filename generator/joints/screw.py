"""Rotation about and translation along e3 of a, coupled by a thread."""

from dataclasses import dataclass
from math import pi
from typing import Any

from mbdgen.geometry.frame_measures import ROTATION, TRANSLATION, UNITS, angle_beyond, relative
from mbdgen.geometry.frames import Frame
from mbdgen.geometry.symbolic_vectors import Expr
from mbdgen.joints.formed import FormedJoint
from mbdgen.language.expressions.scalars import atan2
from mbdgen.language.expressions.small_vectors import dot, minus
from mbdgen.language.markers.marker import Marker


@dataclass(frozen=True)
class Screw(FormedJoint):
    r"""Cylindrical joint with a thread: b advances along e3 of a by `lead` in one turn.

    .. math:: z - z_0 = \frac{p}{2\pi} \theta

    The displacement z determines the revolutions, so that their number is not limited: the last
    equation is the angle minus :math:`2\pi (z - z_0)/p` in (-pi, pi], times :math:`p/2\pi`, so that
    its multiplier is a force along the axis. A negative lead is a left-handed thread. `offset` is
    :math:`z_0`, the displacement at the angle zero; by default that of the initial position.

    Attributes
    ----------
    lead : scalar
        Advance p in one turn.
    offset : scalar, optional
        Displacement :math:`z_0` at the angle zero; that of the initial position by default.
    """

    name = "screw"
    holds = "axis"
    meets = False
    axis = True
    measures = {**ROTATION, **TRANSLATION, "turn": 1}
    units = {**UNITS, "turn": "rad"}

    lead: Any = 0.01
    offset: Any = None

    def defaults(self, *markers: Marker) -> dict[str, Any]:
        """Return the initial offset as default."""
        a, b = markers
        (a1, a2, a3), (b1, _, _) = a.global_axes, b.global_axes
        along = dot(a3, minus(b.global_point, a.global_point))
        offset = along - self.lead * atan2(dot(a2, b1), dot(a1, b1)) / (2 * pi)
        return {**super().defaults(*markers), "offset": offset}

    def guides(self, a: Frame, b: Frame) -> list[Expr]:
        """Point b stays on the axis."""
        d = b.r - a.r
        return [a.e1.dot(d), a.e2.dot(d)]

    def directions(self, a: Frame, b: Frame) -> list[Expr]:
        """Axes e3 stay parallel."""
        return [a.e3.dot(b.e1), a.e3.dot(b.e2)]

    def besides(self, a: Frame, b: Frame) -> list[Expr]:
        """The thread couples angle and displacement."""
        radius = self.lead / (2 * pi)
        return [radius * angle_beyond(a, b, self._turn(a, b))]

    def measure(self, name: str, *frames: Any) -> Expr:
        """Return a relative coordinate, or the unwrapped angle from the displacement."""
        return self._turn(*frames) if name == "turn" else relative(name, *frames)

    def _turn(self, a: Frame, b: Frame) -> Expr:
        return 2 * pi * (a.e3.dot(b.r - a.r) - self.offset) / self.lead
