"""Contact of a sphere and a plane."""

from dataclasses import dataclass
from typing import Any

from mbdgen.errors import ModelError
from mbdgen.forces.contact import Contact
from mbdgen.forces.meeting import Touch
from mbdgen.geometry.frames import Frame
from mbdgen.language import drawing
from mbdgen.language.drawing import Shape
from mbdgen.language.marker import Marker
from mbdgen.language.scalars import Scalar, value_of


@dataclass(frozen=True)
class SpherePlane(Contact):
    r"""Contact of a sphere about the point a with the plane through the point b.

    .. math:: F = K\delta^n + R, \qquad \delta = R_a - n \cdot (r_a - r_b)

    `normal` n points to the side of the sphere. The `radius` is that of the body, unless given
    here. K is that of Hertz, :math:`\tfrac43 E^* R_a^{1/2}`, unless there is a `stiffness`; a body
    without `young` is rigid. `law` and `restitution` say what is lost, `friction` what rubs: see
    [contacts](contact.md).
    """

    name = "sphere_plane"
    axis = True
    axis_name = "normal"
    positive = Contact.positive | {"radius"}

    radius: Any = None
    moving: bool = False  # whether the plane may be on a body that moves

    def touch(self, *frames: Frame) -> Touch:
        """The point of the sphere that is nearest to the plane."""
        a, b = frames
        normal = b.e3
        gap = normal.dot(a.r - b.r) - self.radius
        return Touch(gap, normal, a.r - normal * self.radius)

    def picture(self, *markers: Marker) -> list[Shape]:
        """Draw the sphere and the plane."""
        a, b = markers
        return [drawing.Plane((b,), (0.0, 0.0)), drawing.Sphere((a,), (self.radius,))]

    def curvature(self, *markers: Marker) -> Scalar:
        """Return that of the sphere."""
        return 1 / radius_of(self.radius, markers[0])

    def defaults(self, *markers: Marker) -> dict[str, Any]:
        """Return the radius of the body too."""
        return {"radius": radius_of(self.radius, markers[0]), **super().defaults(*markers)}

    def require(self, what: str, *markers: Marker) -> None:
        """Refuse a sphere behind the plane."""
        super().require(what, *markers)
        require_in_front(what, *markers)

    def require_complete(self, what: str, *markers: Marker) -> None:
        """Refuse a plane that moves, unless that was said."""
        if not self.moving:
            require_at_rest(what, markers[1])


def radius_of(given: Any, marker: Marker) -> Scalar:
    """Return a radius: as given, or that of the body."""
    radius: Any = marker.body.surface.radius if given is None else given
    if radius is None:
        raise ModelError(
            f"the radius of body '{marker.body.name}' is not known.",
            "Give radius=, of the body or of the contact.",
        )
    return radius


def require_in_front(what: str, a: Marker, b: Marker) -> None:
    """Refuse a normal that points away from what shall be in front of the plane."""
    known = a.body.model.parameter_defaults
    pairs = zip(b.global_axes[2], a.global_point, b.global_point, strict=True)
    height = sum(value_of(n * (x - y), known, f"normal of {what}") for n, x, y in pairs)
    if height <= 0.0:
        raise ModelError(
            f"'{a.body.name}' begins {-height:g} m behind the plane of {what}.",
            "Let normal point to the side where the body is.",
        )


def require_at_rest(what: str, plane: Marker) -> None:
    """Refuse a body that is not fixed to the ground by fixed joints."""
    model, held = plane.body.model, {plane.body.model.ground.name}
    pairs = [
        tuple(m.body.name for m in joint.markers)
        for joint in model.joints
        if joint.element.name == "fixed"
    ]
    while new := {n for p in pairs if held & {*p} for n in p} - held:
        held |= new
    if plane.body.name not in held:
        raise ModelError(
            f"the plane of {what} is on '{plane.body.name}', which is not fixed to the ground.",
            f"Fix it: m.fixed('name', m.ground, {plane.body.name}); or say moving=True.",
        )
