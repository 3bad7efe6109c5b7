"""Graphics of bodies: shapes fixed in the body, and the view.

All sizes may be expressions of parameters, which pictures follow.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

from mbdgen.errors import ModelError
from mbdgen.language.argument_words import explains_arguments
from mbdgen.language.colours import as_colour
from mbdgen.language.expressions.scalars import (
    Defaults,
    Scalar,
    Vec3,
    as_scalar,
    entries,
    shown,
    space,
    value_of,
)
from mbdgen.language.expressions.small_vectors import minus
from mbdgen.language.markers.marker import Marker
from mbdgen.language.markers.triad import triad

if TYPE_CHECKING:
    from mbdgen.language.bodies.body import Body


@dataclass(frozen=True)
class Shape:
    """A drawn rigid shape.

    Attributes
    ----------
    markers : tuple of Marker
        Its position, ends or corners.
    sizes : tuple of scalars
        Its lengths, in the order of the arguments of the method of `Drawing`.
    colour : str
        As ``#rrggbb``; empty for that of the body.
    """

    kind: ClassVar[str]
    markers: tuple[Marker, ...]
    sizes: tuple[Scalar, ...] = ()
    colour: str = ""


class Sphere(Shape):
    """A ball about a marker; size: radius."""

    kind = "sphere"


class Box(Shape):
    """A cuboid about a marker, along its axes; sizes: lengths along e1, e2, e3."""

    kind = "box"


class Cylinder(Shape):
    """A cylinder between two markers; size: radius."""

    kind = "cylinder"


class Disc(Shape):
    """A wheel about e3 of a marker; sizes: radius, width (0 for a thin one)."""

    kind = "disc"


class DrawnLine(Shape):
    """A line through markers."""

    kind = "line"


class Plane(Shape):
    """A plane through a marker, normal to its e3; sizes: along e1 and e2, 0 as large as needed."""

    kind = "plane"


class Axis(Shape):
    """The axis e3 of a joint."""

    kind = "axis"


class DrawnJoint(Shape):
    """A point where bodies are joined."""

    kind = "joint"


class Coil(Shape):
    """A spring between markers of two bodies."""

    kind = "coil"


class Rod(Shape):
    """A thin bar without mass between markers of two bodies."""

    kind = "rod"


@dataclass(frozen=True)
class View:
    """Viewpoint of a picture and limits of the space shown.

    Attributes
    ----------
    azimuth, elevation : scalar or None
        Angles in degrees: (0, 0) looks along y with z upwards, a positive azimuth goes around z
        counter-clockwise, a positive elevation above. None: chosen automatically.
    limits : tuple of pairs of scalars
        Limits of x, y, z; empty for the range of the motion.
    """

    azimuth: Scalar | None = None
    elevation: Scalar | None = None
    limits: tuple[tuple[Scalar, Scalar], ...] = field(default=())


@explains_arguments
class Drawing:
    """Shapes of one body: ``body.draw.sphere(0.1)``. They do not enter the equations.

    The position ``at`` is a point in body axes from the reference point, or a marker of the body.
    """

    def __init__(self, body: "Body") -> None:
        self._body = body

    def sphere(self, radius: Any, at: Any = (0, 0, 0), color: Any = None) -> None:
        """Draw a ball."""
        self._add(Sphere, [at], [self._length(radius, "radius")], color)

    def box(self, x: Any, y: Any, z: Any, at: Any = (0, 0, 0), color: Any = None) -> None:
        """Draw a cuboid with its edges along the axes of the marker or of the body."""
        self._add(Box, [at], [self._length(s, "edge") for s in (x, y, z)], color)

    def cylinder(self, radius: Any, start: Any, end: Any, color: Any = None) -> None:
        """Draw a cylinder between two points."""
        self._add(Cylinder, [start, end], [self._length(radius, "radius")], color)

    def disc(
        self,
        radius: Any,
        at: Any = (0, 0, 0),
        axis: Any = (0, 0, 1),
        width: Any = 0.0,
        color: Any = None,
    ) -> None:
        """Draw a disc or a wheel; a marker ``at`` has its axis, e3, itself."""
        wide = self._length(width, "width", least=True)
        position = at if isinstance(at, Marker) else self._turned(at, axis)
        self._add(Disc, [position], [self._length(radius, "radius"), wide], color)

    def line(self, points: Sequence[Any], color: Any = None) -> None:
        """Draw a line through points."""
        found = entries(points)
        if found is None or len(found) < 2:
            raise ModelError(
                f"A line of {self._title} goes through {shown(points)}.",
                "Give a list of two or more points.",
            )
        self._add(DrawnLine, found, [], color)

    def plane(
        self,
        at: Any = (0, 0, 0),
        normal: Any = (0, 0, 1),
        size: Any = (0, 0),
        color: Any = None,
    ) -> None:
        """Draw a rectangle of a plane; by default as large as the motion requires.

        Two values of ``size`` are the lengths along e1 and e2 of the marker.
        """
        given = entries(size)
        lengths = [size, size] if given is None else list(given)
        if len(lengths) != 2:
            raise ModelError(
                f"The size of a plane of {self._title} is {shown(size)}.", "Give two lengths."
            )
        position = at if isinstance(at, Marker) else self._turned(at, normal)
        self._add(Plane, [position], [self._length(s, "size", least=True) for s in lengths], color)

    @property
    def _title(self) -> str:
        return f"body '{self._body.name}'"

    def _add(
        self, kind: type[Shape], positions: Sequence[Any], sizes: Sequence[Scalar], color: Any
    ) -> None:
        colour = as_colour(color, f"of a {kind.kind} of {self._title}")
        markers = tuple(self._marker(p, kind.kind) for p in positions)
        self._body.model.drawn.append(kind(markers, tuple(sizes), colour))

    def _marker(self, at: Any, what: str) -> Marker:
        if isinstance(at, Marker):
            if at.body is not self._body:
                raise ModelError(
                    f"A {what} of {self._title} is placed at a marker of '{at.body.name}'.",
                    f"Use markers of '{self._body.name}'.",
                )
            return at
        return Marker(self._body, space(at, f"position of a {what} of {self._title}"))

    def _turned(self, at: Any, axis: Any) -> Marker:
        what = f"axis of a shape of {self._title}"
        frame = triad(axis, None, defaults=self._body.model.parameter_defaults, what=what)
        return Marker(self._body, space(at, f"position of a shape of {self._title}"), frame)

    def _length(self, x: Any, what: str, least: bool = False) -> Scalar:
        """Return a length that is positive, or at least not negative."""
        title = f"{what} of a shape of {self._title}"
        length = as_scalar(x, title)
        number = value_of(length, self._body.model.parameter_defaults, title)
        if number < 0 or (number == 0 and not least):
            raise ModelError(f"The {title} is {number:g}.", "Give a positive number.")
        return length


def as_view(
    azimuth: Any, elevation: Any, limits: Mapping[str, Any], known: Defaults, what: str
) -> View:
    """Return a validated view.

    Parameters
    ----------
    limits : mapping
        Pairs for x, y and z; None for automatic limits.
    known : mapping
        Values of the parameters.
    """
    given = (("azimuth", azimuth), ("elevation", elevation))
    angles = [None if x is None else as_scalar(x, f"{name} of the {what}") for name, x in given]
    asked = {name: pair for name, pair in limits.items() if pair is not None}
    if asked and len(asked) < len(limits):
        raise ModelError(
            f"The {what} has limits of {', '.join(asked)} only.",
            f"Give those of {', '.join(limits)}, or none.",
        )
    pairs = (
        _limits(pair, known, f"limits of {name} in the {what}") for name, pair in asked.items()
    )
    return View(angles[0], angles[1], tuple(pairs))


def _limits(pair: Any, known: Defaults, what: str) -> tuple[Scalar, Scalar]:
    ends = entries(pair)
    if ends is None or len(ends) != 2:
        raise ModelError(f"The {what} are {shown(pair)}.", "Give two numbers, the smaller first.")
    low, high = (as_scalar(x, what) for x in ends)
    if not value_of(low, known, what) < value_of(high, known, what):
        raise ModelError(f"The {what} are {shown(pair)}.", "Give two numbers, the smaller first.")
    return low, high


def arm(marker: Marker) -> Vec3:
    """Return a marker's position from the centre of mass of its body, in body axes."""
    return minus(marker.point, marker.body.motion.centre_of_mass)
