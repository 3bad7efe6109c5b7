"""Base of contacts with a plane: side of the bodies, and the plane at rest."""

from dataclasses import dataclass
from typing import Any

from mbdgen.errors import ModelError
from mbdgen.forces.contact import Contact
from mbdgen.interval import POSITIVE
from mbdgen.language import drawing
from mbdgen.language.drawing import Shape
from mbdgen.language.expressions.bounds import Bound, check_bounds
from mbdgen.language.expressions.scalars import Scalar
from mbdgen.language.markers.marker import Marker


@dataclass(frozen=True)
class OnPlane(Contact):
    """Base of contacts with the plane through the point b.

    Attributes
    ----------
    moving : bool
        Whether the plane may be on a body that moves.
    """

    axis = True
    axis_name = "normal"

    moving: bool = False

    def moving_mass(self, *markers: Marker) -> Scalar:
        """Return the mass of the body if the plane is at rest, fixed to the ground."""
        if self.moving or markers[0].body.is_ground:
            return super().moving_mass(*markers)
        return markers[0].body.motion.mass

    def picture(self, *markers: Marker) -> list[Shape]:
        """Draw the plane."""
        return [drawing.Plane(markers[1:], (0.0, 0.0))]

    def check_markers(self, what: str, *markers: Marker) -> None:
        """Reject a body initially behind the plane."""
        super().check_markers(what, *markers)
        a, b = markers
        pairs = zip(b.global_axes[2], a.global_point, b.global_point, strict=True)
        height: Scalar = sum(n * (x - y) for n, x, y in pairs)
        above = f"the height of '{a.body.name}' above the plane of {what}"
        side = "Let normal point to the side where the body is."
        check_bounds(a.body.model, Bound(height, above, POSITIVE, side))

    def check_complete(self, what: str, *markers: Marker) -> None:
        """Reject a moving plane without `moving`."""
        if not self.moving:
            _check_at_rest(what, markers[1])


def radius_of(given: Any, marker: Marker) -> Scalar:
    """Return a radius: the given one, or that of the body."""
    radius: Any = marker.body.surface.radius if given is None else given
    if radius is None:
        raise ModelError(
            f"The radius of body '{marker.body.name}' is not known.",
            "Give radius=, of the body or of the contact.",
        )
    return radius


def _check_at_rest(what: str, plane: Marker) -> None:
    """Reject a body that is not fixed to the ground by fixed joints."""
    model = plane.body.model
    held = {model.ground.name}
    fixed = [joint for joint in model.joints if joint.element.name == "fixed"]
    pairs = [{m.body.name for m in joint.markers} for joint in fixed]
    while new := {n for p in pairs if held & p for n in p} - held:
        held |= new
    if plane.body.name not in held:
        raise ModelError(
            f"The plane of {what} is on '{plane.body.name}', which is not fixed to the ground.",
            f"Fix it: m.fixed('name', {plane.body.name}, m.ground); or say moving=True.",
        )
