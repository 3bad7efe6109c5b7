"""Contact of a sphere with a plane."""

from dataclasses import dataclass
from typing import Any

from mbdgen.forces.meeting import Touch
from mbdgen.forces.on_plane import OnPlane, radius_of
from mbdgen.geometry.frames import Frame
from mbdgen.language import drawing
from mbdgen.language.drawing import Shape
from mbdgen.language.expressions.scalars import Scalar
from mbdgen.language.markers.marker import Marker


@dataclass(frozen=True)
class SpherePlane(OnPlane):
    r"""Contact of a sphere about the point a with the plane through the point b.

    .. math:: F = K\delta^n + R, \qquad \delta = R_a - n \cdot (r_a - r_b)

    `normal` n points to the side of the sphere. The `radius` is that of the body, unless given
    here. K is that of Hertz, :math:`\tfrac43 E^* R_a^{1/2}`, unless there is a `stiffness`. `law`
    and `restitution` determine the energy loss, `friction` the friction law: see the page on
    contacts.

    Attributes
    ----------
    radius : scalar, optional
        Radius of the sphere, :math:`R_a`; that of its body by default.
    """

    name = "sphere_plane"
    positive = OnPlane.positive | {"radius"}

    radius: Any = None

    def touch(self, *frames: Frame) -> Touch:
        """Return the point of the sphere nearest to the plane."""
        a, b = frames
        gap = b.e3.dot(a.r - b.r) - self.radius
        return Touch(gap, b.e3, a.r - b.e3 * self.radius)

    def picture(self, *markers: Marker) -> list[Shape]:
        """Draw the sphere and the plane."""
        return [*super().picture(*markers), drawing.Sphere(markers[:1], (self.radius,))]

    def curvature(self, *markers: Marker) -> Scalar:
        """Return the curvature of the sphere."""
        return 1 / radius_of(self.radius, markers[0])

    def defaults(self, *markers: Marker) -> dict[str, Any]:
        """Return the radius of the body as default, too."""
        return {"radius": radius_of(self.radius, markers[0]), **super().defaults(*markers)}
