"""A thin disc rolls on a plane: it touches, and the touching point of the disc does not slip."""

from dataclasses import dataclass
from typing import Any

from mbdgen.joints.base import Joint
from mbdgen.kinematics.frames import Frame
from mbdgen.kinematics.functions import sqrt
from mbdgen.kinematics.vectors import Expr, Vec


@dataclass(frozen=True)
class RollingDisc(Joint):
    r"""A thin disc rolls on a plane: it touches, and the touching point of the disc does not slip.

    `a` is the plane through its point with normal e3, on whose side the disc is; `b` the centre of
    the disc, whose axle is e3. With the normal :math:`n` and the axle :math:`e` the lowest point of
    the rim is :math:`\rho = -r (n - (n \cdot e) e)/|n - (n \cdot e) e|` from the centre.
    """

    name = "rolling_disc"
    axis = True
    positive = frozenset({"radius"})
    measures = {"contact": 3, "slip": 3}
    units = {"contact": "m", "slip": "m/s"}

    radius: Any = 1.0

    def equations(self, a: Frame, b: Frame) -> list[Expr]:
        """State that the disc touches."""
        lean = a.e3.dot(b.e3)
        return [a.e3.dot(b.r - a.r) - self.radius * sqrt(1 - lean * lean)]

    def velocity_equations(self, a: Frame, b: Frame) -> list[Expr]:
        """State that it rolls."""
        slip = self._slip(a, b)
        return [a.e1.dot(slip), a.e2.dot(slip)]

    def measure(self, name: str, *frames: Any) -> Vec:
        """Return the touching point, or the velocity of the disc there."""
        a, b = frames
        return b.r + self._arm(a, b) if name == "contact" else self._slip(a, b)

    def _arm(self, a: Frame, b: Frame) -> Vec:
        lean = a.e3.dot(b.e3)
        return (a.e3 - b.e3 * lean) * (-self.radius / sqrt(1 - lean * lean))

    def _slip(self, a: Frame, b: Frame) -> Vec:
        arm = self._arm(a, b)
        ground = a.v + a.w.cross(b.r + arm - a.r)
        return b.v + b.w.cross(arm) - ground
