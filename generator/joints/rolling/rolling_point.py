"""A body rolls about a point that another body carries along."""

from dataclasses import dataclass
from typing import Any

from mbdgen.geometry.frames import Frame
from mbdgen.geometry.symbolic_vectors import Expr, Vec
from mbdgen.joints.base import Joint


@dataclass(frozen=True)
class RollingPoint(Joint):
    r"""What is of b at the point of a rests: b rolls there, whatever body a carries that point.

    .. math:: v_b + \omega_b \times (r_a - r_b) = 0

    A wheel's touching point is none of its own. A carrier (it needs no mass) has it: hung on the
    axle by a revolute joint, and an axis kept parallel to the ground (`dot_product`). The ground is
    at rest. Heights are kept by their rates: as good as the integrator, without correction.
    """

    name = "rolling_point"
    measures = {"contact": 3, "slip": 3}
    units = {"contact": "m", "slip": "m/s"}

    def equations(self, a: Frame, b: Frame) -> list[Expr]:
        """State nothing of positions."""
        return []

    def velocity_equations(self, a: Frame, b: Frame) -> list[Expr]:
        """State that b rests at the point of a."""
        return [*self.slip(a, b)]

    def slip(self, a: Frame, b: Frame) -> Vec:
        """Return the velocity of b at the point of a."""
        b.require_turning()
        return b.v + b.w.cross(a.r - b.r)

    def measure(self, name: str, *frames: Any) -> Vec:
        """Return the point of a, or the slip there."""
        a, b = frames
        return self.slip(a, b) if name == "slip" else a.r
