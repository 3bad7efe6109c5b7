"""Wheel rolling on a plane (nonholonomic): a thin disc, or a torus with a round rim."""

from dataclasses import dataclass
from typing import Any

from mbdgen.geometry.frames import Frame
from mbdgen.geometry.symbolic_vectors import Expr, Vec
from mbdgen.joints.base import Joint
from mbdgen.language import drawing
from mbdgen.language.drawing import Shape
from mbdgen.language.markers.marker import Marker


@dataclass(frozen=True)
class RollingDisc(Joint):
    r"""A wheel touches a plane, and its touching point does not slip: a thin disc, or a torus.

    `a` is the plane through its point with normal :math:`n` = e3, on whose side the wheel is; `b`
    is the centre of the wheel, whose axle :math:`e` is e3. From there the touching point is

    .. math:: \rho = -r \frac{n - (n \cdot e) e}{|n - (n \cdot e) e|} - r_0 n

    with the `radius` :math:`r` of the rim's middle and its `rounding` :math:`r_0`. `grip` selects
    the components of the slip :math:`s` that are prevented, in addition to lift-off:

    ========== ================== ========================================================
    full       all of it          :math:`s = 0` in the plane
    sideways   along the axle     :math:`s \cdot c = 0`, :math:`c = (e - (n \cdot e) n)/|...|`
    forward    along the track    :math:`s \cdot (e \times n)/|...| = 0`
    none       none: a disc on ice
    ========== ================== ========================================================

    Attributes
    ----------
    radius : scalar
        Radius of the middle of the rim, r.
    rounding : scalar
        Radius of a round rim; 0 for a thin disc.
    grip : str
        Which slip is prevented.
    """

    name = "rolling_disc"
    axis = True
    positive = frozenset({"radius"})
    choices = {"grip": ("full", "sideways", "forward", "none")}
    measures = {"contact": 3, "slip": 3}
    units = {"contact": "m", "slip": "m/s"}

    radius: Any = 1.0
    rounding: Any = 0.0
    grip: str = "full"

    def equations(self, a: Frame, b: Frame) -> list[Expr]:
        """Return the holonomic equation of contact."""
        height = self.radius * self.up(a, b).norm() + self.rounding
        return [a.e3.dot(b.r - a.r) - height]

    def velocity_equations(self, a: Frame, b: Frame) -> list[Expr]:
        """Return the nonholonomic equations of rolling, as selected by `grip`.

        Full grip does not depend on the track direction, so that the disc may lie flat.
        """
        slip = self.slip(a, b)
        if self.grip == "sideways":
            return [(b.e3 - a.e3 * a.e3.dot(b.e3)).direction().dot(slip)]
        if self.grip == "forward":
            return [b.e3.cross(a.e3).direction().dot(slip)]
        if self.grip == "none":
            return []
        return [a.e1.dot(slip), a.e2.dot(slip)]

    def up(self, a: Frame, b: Frame) -> Vec:
        """Return the part of the normal that lies in the plane of the wheel."""
        return a.e3 - b.e3 * a.e3.dot(b.e3)

    def arm(self, a: Frame, b: Frame) -> Vec:
        """Return the contact point relative to the centre."""
        return -(self.up(a, b).direction() * self.radius + a.e3 * self.rounding)

    def slip(self, a: Frame, b: Frame) -> Vec:
        """Return the velocity of the wheel at the contact point relative to the plane."""
        arm = self.arm(a, b)
        return b.v + b.w.cross(arm) - a.v - a.w.cross(b.r + arm - a.r)

    def picture(self, *markers: Marker) -> list[Shape]:
        """Draw the wheel and the plane."""
        a, b = markers
        radius = self.radius + self.rounding
        return [drawing.Plane((a,), (0.0, 0.0)), drawing.Disc((b,), (radius, 2 * self.rounding))]

    def measure(self, name: str, *frames: Any) -> Vec:
        """Return the contact point, or the slip there."""
        a, b = frames
        return self.slip(a, b) if name == "slip" else b.r + self.arm(a, b)
