"""Contact of a point with a plane."""

from dataclasses import dataclass

from mbdgen.errors import ModelError
from mbdgen.forces.meeting import Touch
from mbdgen.forces.on_plane import OnPlane
from mbdgen.geometry.frames import Frame
from mbdgen.language.expressions.scalars import Scalar
from mbdgen.language.markers.marker import Marker


@dataclass(frozen=True)
class PointPlane(OnPlane):
    r"""Contact of the point a, such as a corner, with the plane through the point b.

    .. math:: F = K\delta^n + R, \qquad \delta = -n \cdot (r_a - r_b)

    `normal` n points to the side of the body. A point has no Hertz stiffness: give one.
    """

    name = "point_plane"

    def touch(self, *frames: Frame) -> Touch:
        """Return the point itself."""
        a, b = frames
        return Touch(b.e3.dot(a.r - b.r), b.e3, a.r)

    def curvature(self, *markers: Marker) -> Scalar:
        """Raise an error: a point has no curvature radius."""
        raise ModelError(
            f"Hertz knows no stiffness of the point of '{markers[0].body.name}' on a plane.",
            "Give stiffness=, in N/m^exponent.",
        )
