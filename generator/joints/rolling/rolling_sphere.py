"""Sphere rolling on a plane without slip (nonholonomic)."""

from dataclasses import dataclass
from typing import Any

from mbdgen.geometry.frames import Frame
from mbdgen.geometry.symbolic_vectors import Expr, Vec
from mbdgen.joints.base import Joint
from mbdgen.language import drawing
from mbdgen.language.drawing import Shape
from mbdgen.language.markers.marker import Marker


@dataclass(frozen=True)
class RollingSphere(Joint):
    r"""A sphere touches a plane, and its touching point does not slip; it may spin there.

    .. math::
        a_3 \cdot (r_b - r_a) - R = 0, \qquad a_1 \cdot s = a_2 \cdot s = 0, \qquad
        s = v_b - v_a - R\, \omega_b \times a_3 - \omega_a \times (r_b - R a_3 - r_a)

    `a` is the plane through its point with normal e3, on whose side the sphere is; `b` is the
    centre of the sphere. The plane may move: a turntable.

    Attributes
    ----------
    radius : scalar
        Radius of the sphere, R.
    """

    name = "rolling_sphere"
    axis = True
    positive = frozenset({"radius"})
    measures = {"contact": 3, "slip": 3}
    units = {"contact": "m", "slip": "m/s"}

    radius: Any = 1.0

    def equations(self, a: Frame, b: Frame) -> list[Expr]:
        """Return the holonomic equation of contact."""
        return [a.e3.dot(b.r - a.r) - self.radius]

    def velocity_equations(self, a: Frame, b: Frame) -> list[Expr]:
        """Return the nonholonomic equations of rolling without slip."""
        slip = self.slip(a, b)
        return [a.e1.dot(slip), a.e2.dot(slip)]

    def slip(self, a: Frame, b: Frame) -> Vec:
        """Return the velocity of the sphere at the contact point relative to the plane."""
        b.check_turning()
        arm = a.e3 * -self.radius
        return b.v + b.w.cross(arm) - a.v - a.w.cross(b.r + arm - a.r)

    def picture(self, *markers: Marker) -> list[Shape]:
        """Draw the sphere and the plane."""
        a, b = markers
        return [drawing.Plane((a,), (0.0, 0.0)), drawing.Sphere((b,), (self.radius,))]

    def measure(self, name: str, *frames: Any) -> Vec:
        """Return the contact point, or the slip there."""
        a, b = frames
        return self.slip(a, b) if name == "slip" else b.r - a.e3 * self.radius
