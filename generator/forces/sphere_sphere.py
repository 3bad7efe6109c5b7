"""Contact of two spheres."""

from dataclasses import dataclass
from typing import Any

from mbdgen.forces.contact import Contact
from mbdgen.forces.meeting import Touch
from mbdgen.forces.on_plane import radius_of
from mbdgen.geometry.frames import Frame
from mbdgen.language.expressions.scalars import Scalar
from mbdgen.language.markers.marker import Marker


@dataclass(frozen=True)
class SphereSphere(Contact):
    r"""Contact of two spheres about the points a and b.

    .. math:: F = K\delta^n + R, \qquad \delta = R_a + R_b - |r_a - r_b|

    The radii are those of the bodies, unless `radius_a` and `radius_b` are given. K is that of
    Hertz, :math:`\tfrac43 E^* (1/R_a + 1/R_b)^{-1/2}`, unless there is a `stiffness`.

    Attributes
    ----------
    radius_a, radius_b : scalar, optional
        Radii of both spheres; those of their bodies by default.
    """

    name = "sphere_sphere"
    apart = True
    positive = Contact.positive | {"radius_a", "radius_b"}

    radius_a: Any = None
    radius_b: Any = None

    def touch(self, *frames: Frame) -> Touch:
        """Return the point of the first sphere nearest to the other."""
        a, b = frames
        between = a.r - b.r
        distance = a.tape.name("distance", between.norm())
        normal = between / distance
        return Touch(distance - self.radius_a - self.radius_b, normal, a.r - normal * self.radius_a)

    def curvature(self, *markers: Marker) -> Scalar:
        """Return the sum of both curvatures."""
        first, second = self._radii(markers)
        return 1 / first + 1 / second

    def defaults(self, *markers: Marker) -> dict[str, Any]:
        """Return the radii of the bodies as defaults, too."""
        first, second = self._radii(markers)
        return {"radius_a": first, "radius_b": second, **super().defaults(*markers)}

    def _radii(self, markers: tuple[Marker, ...]) -> tuple[Scalar, Scalar]:
        a, b = markers
        return radius_of(self.radius_a, a), radius_of(self.radius_b, b)
