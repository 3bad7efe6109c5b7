"""Contact of a disc with a plane."""

from dataclasses import dataclass
from typing import Any

from mbdgen.errors import ModelError
from mbdgen.forces.meeting import Touch
from mbdgen.forces.on_plane import OnPlane, radius_of
from mbdgen.geometry.frames import Frame
from mbdgen.geometry.functions import sqrt as root
from mbdgen.language import drawing
from mbdgen.language.drawing import Shape
from mbdgen.language.expressions.scalars import Scalar, is_number, sqrt
from mbdgen.language.markers.marker import Marker

LYING = 1e-12
"""Regularisation of the inclination: a disc lying flat has no unique lowest point."""


@dataclass(frozen=True)
class DiscPlane(OnPlane):
    r"""Contact of a disc about the point a with the plane through the point b.

    .. math:: \delta = R \sqrt{1 - (n \cdot u)^2} + \rho - n \cdot (r_a - r_b)

    u is the axis of the disc (`axis_a`), R its radius, by default that of the body, and
    :math:`\rho` the radius of a round `rim` about this circle. `normal` n points to the side of the
    disc. K is that of Hertz for the mean radius :math:`\sqrt{(R + \rho)\rho}` of a round rim;
    the edge of a thin disc needs a `stiffness`. A cylinder has one such contact at each end.

    Attributes
    ----------
    radius : scalar, optional
        Radius of the circle, R; that of the body by default.
    rim : scalar
        Radius :math:`\rho` of a round rim about it.
    """

    name = "disc_plane"
    positive = OnPlane.positive | {"radius"}

    radius: Any = None
    rim: Any = 0.0

    def touch(self, *frames: Frame) -> Touch:
        """Return the lowest point of the rim."""
        a, b = frames
        normal, axis, tape = b.e3, a.e3, a.tape
        lean = tape.name("lean", normal.dot(axis))
        across = normal.cross(axis)
        slope = tape.name("slope", root(across.dot(across) + LYING))
        down = (axis * lean - normal) / slope
        gap = normal.dot(a.r - b.r) - self.radius * slope - self.rim
        return Touch(gap, normal, a.r + down * self.radius - normal * self.rim)

    def picture(self, *markers: Marker) -> list[Shape]:
        """Draw the disc and the plane."""
        sizes = self.radius + self.rim, 2 * self.rim
        return [*super().picture(*markers), drawing.Disc(markers[:1], sizes)]

    def check_markers(self, what: str, *markers: Marker) -> None:
        """Reject an invalid rim radius."""
        super().check_markers(what, *markers)
        if is_number(self.rim) and self.rim < 0.0:
            raise ModelError(f"rim of {what} is {self.rim:g}.", "Give its radius, or 0.")

    def curvature(self, *markers: Marker) -> Scalar:
        """Return the mean curvature of the round rim."""
        if is_number(self.rim) and self.rim <= 0.0:
            raise ModelError(
                f"Hertz knows no stiffness of the sharp edge of '{markers[0].body.name}'.",
                "Give stiffness=, in N/m^exponent, or the radius of a round rim=.",
            )
        return 1 / sqrt((radius_of(self.radius, markers[0]) + self.rim) * self.rim)

    def defaults(self, *markers: Marker) -> dict[str, Any]:
        """Return the radius of the body as default, too."""
        return {"radius": radius_of(self.radius, markers[0]), **super().defaults(*markers)}
