"""Gear pair: constant ratio of two rotations, over any number of revolutions."""

from dataclasses import dataclass
from typing import Any

from mbdgen.geometry.frame_measures import difference
from mbdgen.geometry.frames import Frame
from mbdgen.geometry.symbolic_vectors import Expr
from mbdgen.joints.base import Joint


@dataclass(frozen=True)
class Gear(Joint):
    r"""Gear pair: the angle `second` follows the angle `first` with a constant ratio.

    .. math:: \theta_1 = \psi, \qquad \theta_2 = \theta_0 \mp i \psi \qquad (\text{mod } 2\pi)

    The angles are measures of other joints, mostly of the revolutes that carry both wheels in the
    ground or in a common carrier: ``first=pin.angle, second=other.angle``. They are known modulo a
    revolution only; :math:`\psi`, a massless unknown, is continuous over all revolutions, so that
    the ratio may be any number. `ratio` is the speed of the second wheel divided by that of the
    first (radius of the first by radius of the second), `phase` is :math:`\theta_0`. Wheels of an
    external mesh turn against each other. Both multipliers are moments; the balance of :math:`\psi`
    is their ratio.

    Attributes
    ----------
    first, second : scalar
        Angles of both wheels, measures of their joints.
    ratio : scalar
        Speed of the second wheel divided by that of the first, i.
    mesh : str
        External mesh (opposite rotation) or internal mesh.
    phase : scalar
        Angle :math:`\theta_0` of the second wheel where that of the first is zero.
    start : scalar
        Initial :math:`\psi`, from which assembly begins.
    """

    name = "gear"
    ends = ()
    auxiliary = {"turn": "start"}
    positive = frozenset({"ratio"})
    modulo = frozenset({"first", "second"})
    choices = {"mesh": ("external", "internal")}
    measures = {"turn": 1, "turn_rate": 1}
    units = {"turn": "rad", "turn_rate": "rad/s"}

    first: Any
    second: Any
    ratio: Any = 1.0
    mesh: str = "external"
    phase: Any = 0.0
    start: Any = 0.0

    def equations(self, *frames: Frame) -> list[Expr]:
        """Return the constraint equations."""
        turn = frames[0].r[0]
        follows = self.ratio * turn if self.mesh == "internal" else -self.ratio * turn
        return [difference(self.first, turn), difference(self.second, self.phase + follows)]

    def measure(self, name: str, *frames: Any) -> Expr:
        """Return the unwrapped angle of the first wheel, or its rate."""
        (turn,) = frames
        return turn.r[0] if name == "turn" else turn.v[0]
