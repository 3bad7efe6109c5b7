"""Contact of two spheres."""

from dataclasses import dataclass
from typing import Any

from mbdgen.forces.contact import Contact
from mbdgen.forces.meeting import Touch
from mbdgen.forces.sphere_plane import radius_of
from mbdgen.geometry.frames import Frame
from mbdgen.language.marker import Marker
from mbdgen.language.scalars import Scalar


@dataclass(frozen=True)
class SphereSphere(Contact):
    r"""Contact of two spheres about the points a and b.

    .. math:: F = K\delta^n + R, \qquad \delta = R_a + R_b - |r_a - r_b|
    """

    name = "sphere_sphere"
    apart = True
    positive = Contact.positive | {"radius_a", "radius_b"}

    radius_a: Any = None
    radius_b: Any = None

    def touch(self, *frames: Frame) -> Touch:
        """The point between them."""
        a, b = frames
        arm = a.tape.vector("arm", a.r - b.r)
        distance = a.tape.name("distance", arm.norm())
        normal = arm * (1 / distance)
        gap = distance - self.radius_a - self.radius_b
        return Touch(gap, normal, b.r + normal * (self.radius_b + gap / 2))

    def curvature(self, *markers: Marker) -> Scalar:
        """Return that of both."""
        a, b = markers
        return 1 / radius_of(self.radius_a, a) + 1 / radius_of(self.radius_b, b)

    def defaults(self, *markers: Marker) -> dict[str, Any]:
        """Return the radii of the bodies too."""
        a, b = markers
        radii = {"radius_a": radius_of(self.radius_a, a), "radius_b": radius_of(self.radius_b, b)}
        return {**radii, **super().defaults(*markers)}
