"""Rolling about a point carried by another body (nonholonomic)."""

from dataclasses import dataclass
from typing import Any

from mbdgen.geometry.frames import Frame
from mbdgen.geometry.symbolic_vectors import Expr, Vec
from mbdgen.joints.base import Joint


@dataclass(frozen=True)
class RollingPoint(Joint):
    r"""Zero velocity of b at the point of a: b rolls there; a carries the contact point.

    .. math:: v_b + \omega_b \times (r_a - r_b) = 0

    The contact point is not fixed in the wheel. A carrier (it may be massless) has it: attached to
    the axle by a revolute joint, with an axis kept parallel to the ground (`dot_product`). The
    ground is at rest. Heights are constrained by their rates only: they drift with the integration
    error.
    """

    name = "rolling_point"
    measures = {"contact": 3, "slip": 3}
    units = {"contact": "m", "slip": "m/s"}

    def equations(self, a: Frame, b: Frame) -> list[Expr]:
        """Return no holonomic equations."""
        return []

    def velocity_equations(self, a: Frame, b: Frame) -> list[Expr]:
        """Return the nonholonomic equations: zero velocity of b at the point of a."""
        return [*self.slip(a, b)]

    def slip(self, a: Frame, b: Frame) -> Vec:
        """Return the velocity of b at the point of a."""
        b.check_turning()
        return b.v + b.w.cross(a.r - b.r)

    def measure(self, name: str, *frames: Any) -> Vec:
        """Return the point of a, or the slip there."""
        a, b = frames
        return self.slip(a, b) if name == "slip" else a.r
