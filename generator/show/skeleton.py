"""Skeleton of a mechanism: lines from the centre of mass of each body to its markers."""

from collections.abc import Mapping

from mbdgen.language.bodies.body import Body
from mbdgen.language.markers.marker import Marker
from mbdgen.language.model import Model

Skeleton = Mapping[str, tuple[str, ...]]
"""For each body the outputs of its points, the centre first; the ground has no centre."""


def skeleton(model: Model) -> Skeleton:
    """Add the points of a model to its outputs, and return their names by body.

    The kernel of outputs then evaluates the points, independently of the model's coordinates.
    """
    bones: dict[str, tuple[str, ...]] = {}
    for body, markers in _points(model).items():
        names = tuple(f"bone_{body.name}_{k}" for k in range(len(markers)))
        for name, marker in zip(names, markers, strict=True):
            model.output(name, marker)
        bones[body.name] = names
    return bones


def _points(model: Model) -> dict[Body, list[Marker]]:
    """Return the bodies with markers, and the markers without duplicates."""
    found: dict[Body, list[Marker]] = {}
    for element in model.attached.values():
        for marker in element.markers:
            body = marker.body
            centre = [] if body is model.ground else [body.centre_of_mass]
            known = found.setdefault(body, centre)
            if all(str(marker.point) != str(other.point) for other in known):
                known.append(marker)
    return found
