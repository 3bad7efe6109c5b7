"""Knife edge (nonholonomic): no lateral velocity of a skate or a small wheel."""

from dataclasses import dataclass
from typing import Any

from mbdgen.geometry.frames import Frame
from mbdgen.geometry.symbolic_vectors import Expr, Vec
from mbdgen.joints.base import Joint


@dataclass(frozen=True)
class KnifeEdge(Joint):
    r"""Point b does not move along its e3, seen from a: a skate, or a wheel with that axle.

    .. math:: b_3 \cdot s = 0, \qquad s = v_b - v_a - \omega_a \times (r_b - r_a)

    All other motion is free; its support is another joint.
    """

    name = "knife_edge"
    axis = True
    measures = {"slip": 3}
    units = {"slip": "m/s"}

    def equations(self, a: Frame, b: Frame) -> list[Expr]:
        """Return no holonomic equations."""
        return []

    def velocity_equations(self, a: Frame, b: Frame) -> list[Expr]:
        """Return the nonholonomic constraint of zero lateral velocity."""
        return [b.e3.dot(self.slip(a, b))]

    def slip(self, a: Frame, b: Frame) -> Vec:
        """Return the velocity of point b relative to a."""
        return b.v - a.v - a.w.cross(b.r - a.r)

    def measure(self, name: str, *frames: Any) -> Vec:
        """Return the velocity of point b relative to a."""
        return self.slip(*frames)
