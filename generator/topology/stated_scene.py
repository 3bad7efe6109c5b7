"""Scene of a model for pictures: bodies by their points, shapes, joints, springs, outputs.

All positions are relative to the centre of mass of a body, in its axes; on the ground in global
axes. With the motion of the bodies that is all a picture needs.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from mbdgen.language.attached import Attached
from mbdgen.language.bodies.body import Body
from mbdgen.language.drawing import Axis, Box, Cylinder, Disc, Plane, Shape, Sphere, arm
from mbdgen.language.expressions.placeholders import PlaceholderQuantity
from mbdgen.language.expressions.scalars import Scalar
from mbdgen.language.markers.marker import Marker
from mbdgen.language.model import Model
from mbdgen.language.output import Output

FRAMED = (Box, Disc, Plane)
"""Shapes that need all axes of their marker; an axis needs only e3."""


SOLID = tuple(shape.kind for shape in (Sphere, Box, Cylinder, Disc))
"""Kinds of shapes that are the body itself, rather than attached to it."""


@dataclass(frozen=True)
class StatedFigure:
    """Object in a picture.

    Attributes
    ----------
    kind : str
        ``gravity`` (3 numbers), ``azimuth``, ``elevation``, ``limits`` (6 numbers), ``body`` (the
        points of its markers), ``beam`` (height, width and area of its section; its bodies are the
        elements), ``floating`` and ``wires`` (beams and other bodies in floating frames, see
        `mbdgen.language.flexible.floating_picture` and `flexible_picture`), ``point`` and ``force``
        (the position of an output), or the kind of a shape of `mbdgen.language.drawing`: point,
        axes e1, e2, e3 if it is one of `FRAMED` (e3 of an axis), for each marker; then its sizes.
    name : str
        Name of the body, of the joint or force, or of the output.
    bodies : tuple of str
        Body of each marker.
    colour : str
        As ``#rrggbb``; empty for an automatic choice.
    numbers : tuple of scalars
        Coordinates and lengths.
    """

    kind: str
    name: str
    bodies: tuple[str, ...]
    colour: str
    numbers: tuple[Scalar, ...]


def figures(model: Model) -> list[StatedFigure]:
    """Return all objects in a picture of a model."""
    found = [*_world(model), *_bodies(model), *_beams(model)]
    drawn = [_figure(shape, shape.markers[0].body.name) for shape in model.drawn]
    for element in model.attached.values():
        shapes = element.element.picture(*element.markers)
        drawn += [_figure(shape, element.name) for shape in shapes]
    for crowd in model.crowds.values():
        planes = [near.plane for near in crowd.tables if near.plane is not None]
        drawn += [_figure(Plane((plane,), (0.0, 0.0)), crowd.name) for plane in planes]
    drawn += _round(
        model, {body for figure in drawn if figure.kind in SOLID for body in figure.bodies}
    )
    # A ball in contact with three planes is drawn once.
    found += {(x.kind, x.bodies, x.numbers): x for x in reversed(drawn)}.values()
    for output in model.outputs.values():
        found += _output(model, output)
    return found


def _world(model: Model) -> Iterator[StatedFigure]:
    """Yield the direction of gravity and the user's settings of the view."""
    seen = model.seen
    yield StatedFigure("gravity", "", (), "", model.gravity)
    if seen.azimuth is not None:
        yield StatedFigure("azimuth", "", (), "", (seen.azimuth,))
    if seen.elevation is not None:
        yield StatedFigure("elevation", "", (), "", (seen.elevation,))
    if seen.limits:
        yield StatedFigure("limits", "", (), "", tuple(x for pair in seen.limits for x in pair))


def _bodies(model: Model) -> Iterator[StatedFigure]:
    """Yield every body with the points of its markers, each once, and the ground if it has any."""
    points: dict[Body, dict[str, Marker]] = {
        body: {} for body in model.bodies.values() if not _flexible(body)
    }
    for element in model.attached.values():
        shapes = element.element.picture(*element.markers)
        planes = [shape.markers[0] for shape in shapes if isinstance(shape, Plane)]
        for marker in element.markers:
            if marker not in planes and not _flexible(marker.body):
                points.setdefault(marker.body, {})[str(marker.point)] = marker
    for body, markers in points.items():
        numbers = tuple(x for marker in markers.values() for x in arm(marker))
        yield StatedFigure("body", body.name, (body.name,), body.colour, numbers)


def _beams(model: Model) -> Iterator[StatedFigure]:
    """Yield every beam with its elements."""
    for beam in model.beams.values():
        sizes = (beam.section.height, beam.section.width, beam.section.area)
        names = tuple(element.name for element in beam.elements)
        yield StatedFigure("beam", beam.name, names, beam.elements[0].colour, sizes)
    for floating in model.floating.values():
        body = floating.body
        yield StatedFigure(
            floating.drawn_as, body.name, (body.name,), body.colour, floating.picture
        )


def _flexible(body: Body) -> bool:
    return body.kind is not None and body.kind.flexible


def _round(model: Model, others: set[str]) -> Iterator[StatedFigure]:
    """Yield bodies with a radius and no other shape, as spheres about their reference points."""
    for body in model.bodies.values():
        radius = body.surface.radius
        if radius is not None and body.name not in others:
            yield _figure(Sphere((body.origin,), (radius,)), body.name)


def _figure(shape: Shape, name: str) -> StatedFigure:
    numbers: list[Scalar] = []
    for marker in shape.markers:
        numbers += arm(marker)
        if isinstance(shape, FRAMED):
            numbers += [x for axis in marker.axes for x in axis]
        if isinstance(shape, Axis):
            numbers += marker.axes[2]
    bodies = tuple(marker.body.name for marker in shape.markers)
    return StatedFigure(shape.kind, name, bodies, shape.colour, (*numbers, *shape.sizes))


def _output(model: Model, output: Output) -> Iterator[StatedFigure]:
    """Yield an output that is a point of a body, or the force of a joint or contact."""
    meant = [_meaning(model, x) for _, x in output.components]
    if [x.component for x in meant if x is not None] != [0, 1, 2] or meant[0] is None:
        return
    source, what = meant[0].source, meant[0].what
    if any(x != PlaceholderQuantity(source, what, k) for k, x in enumerate(meant)):
        return
    if isinstance(source, Marker) and what == "r":
        yield StatedFigure("point", output.name, (source.body.name,), "", arm(source))
    if isinstance(source, Attached) and what == "force":
        marker = source.markers[-1]
        yield StatedFigure("force", output.name, (marker.body.name,), "", arm(marker))


def _meaning(model: Model, x: Any) -> PlaceholderQuantity | None:
    """Return the quantity that a component of an output is; None if it is a computed expression."""
    if isinstance(x, PlaceholderQuantity):
        return x
    return model.book.meaning(x) if x in model.book else None
