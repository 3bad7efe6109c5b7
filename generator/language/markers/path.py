"""Markers moving along a path (sliding joints): a massless coordinate gives the arc length.

A beam is a path with one piece for each element. Equations of a moving marker are written on every
piece and are active on the one that contains the coordinate (`Path.number`).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from mbdgen.errors import ModelError
from mbdgen.interval import NOT_NEGATIVE
from mbdgen.language.argument_words import explains_arguments
from mbdgen.language.expressions.bounds import Bound, check_bounds
from mbdgen.language.expressions.function_argument import Function
from mbdgen.language.expressions.scalars import Mat33, Scalar, Vec3, as_scalar, is_number, value_of
from mbdgen.language.expressions.small_vectors import normalised, times_vector
from mbdgen.language.markers.marker import Marker
from mbdgen.language.markers.triad import triad

if TYPE_CHECKING:
    from mbdgen.language.bodies.body import Body
    from mbdgen.language.model import Model

_ORIGIN: Vec3 = (0.0, 0.0, 0.0)
IDENTITY: Mat33 = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
BEYOND = 1e300
"""Limits of the first and last piece: iterates beyond the path use the equations of its end."""


@dataclass(frozen=True)
class PathPiece:
    """A piece of a path.

    Attributes
    ----------
    body : Body
        Its body.
    begin : scalar
        Value of the coordinate at its beginning.
    """

    body: "Body"
    begin: Scalar

    def marker(self, axes: Mat33) -> Marker:
        """Return a marker on it, at an unspecified arc length."""
        return Marker(self.body, _ORIGIN, axes)

    def point(self, number: Scalar) -> Vec3:
        """Return a point on it, from the reference point of its body at rest."""
        return (number - self.begin, 0.0, 0.0)


@dataclass(frozen=True)
class PathCurve:
    r"""A curve fixed in a rigid body, or in the ground.

    Attributes
    ----------
    position : Function
        :math:`c(s)` from the body's reference point, in its axes.
    normal : Function, or None
        Direction to which the second axis of the triad is closest; None where z is constant.
    """

    position: Function
    normal: Function | None

    def axes(self, s: Scalar) -> Mat33:
        """Return the tangent triad at a parameter value, in the axes of the body."""
        slope = self.position.derivative()(s)
        if self.normal is None:
            x, y = normalised(slope[:2])
            return (x, y, 0.0), (-y, x, 0.0), (0.0, 0.0, 1.0)
        n, b, t = triad(slope, self.normal(s))
        return t, n, b


@dataclass(frozen=True)
class Path:
    """The path of a moving marker.

    Attributes
    ----------
    number : Body
        Massless body with the path coordinate.
    pieces : tuple of PathPiece
        In order.
    ends : two scalars, or None
        Limits of the coordinate; a curve without them is unbounded.
    around : scalar, or None
        The length of a closed path; the coordinate counts on from revolution to revolution.
    curve : PathCurve, optional
        Curve of a rigid body; None for the midline of a beam.
    """

    number: "Body"
    pieces: tuple[PathPiece, ...]
    ends: tuple[Scalar, Scalar] | None
    curve: PathCurve | None = None
    around: Scalar | None = None

    def piece_of(self, marker: "MovingMarker", k: int) -> Marker:
        """Return the marker on one of the pieces, at an unspecified arc length."""
        return self.pieces[k].marker(marker.axes)

    def borders(self, k: int) -> tuple[Scalar, Scalar]:
        """Return the interval of the coordinate in which a piece is active."""
        first = self.pieces[k].begin if k else -BEYOND
        last = self.pieces[k + 1].begin if k + 1 < len(self.pieces) else BEYOND
        return first, last


@explains_arguments
@dataclass(frozen=True)
class MovingMarker(Marker):
    """A marker moving along a path, with the axes of the path there: e1 is the tangent.

    Joints attach to it as to any other marker: with a spherical joint a point slides and rotates
    freely, with a fixed one it slides only. The path coordinate has no mass: without a force along
    it, such as friction, no force along the path acts on the attached body.

    Attributes
    ----------
    path : Path
        Its path.
    tangent : bool
        Whether e1 is the tangent; otherwise the axes are those of the section.
    axes_at_start : three vectors
        Initial axes of the path, in those of the body.
    """

    path: Path | None = None
    tangent: bool = True
    axes_at_start: Mat33 = IDENTITY

    def local_direction(self, direction: Vec3) -> Vec3:
        """Transform an initial direction from global axes to those of the path."""
        return times_vector(self.axes_at_start, super().local_direction(direction))

    @property
    def along(self) -> Path:
        """Its path."""
        assert self.path is not None
        return self.path

    @property
    def s(self) -> Any:
        """Path coordinate: the arc length from the start of the unstrained beam.

        On a closed beam it grows by the length of the beam in each revolution.
        """
        return self.along.number.variable("number")

    @property
    def speed(self) -> Any:
        """Time derivative of `s`."""
        return self.along.number.variable("rate")

    @property
    def piece(self) -> Any:
        """Number of its current element, from 1."""
        begins = [p.begin for p in self.along.pieces[1:]]
        if not begins:
            return 1.0
        from mbdgen.language.expressions.piecewise_index import Chosen, around

        s = self.s if self.along.around is None else around(self.s, self.along.around)
        if all(is_number(begin) for begin in begins):
            return Chosen(s, *map(float, begins), *range(1, len(begins) + 2))
        from sympy import Heaviside

        return 1 + sum(Heaviside(s - begin, 1) for begin in begins)  # at current parameters

    @property
    def label(self) -> str:
        """Its name, for messages and printed symbols."""
        return self.along.number.name


def path_coordinate(model: "Model", name: str, start: Scalar, speed: Any) -> "Body":
    """Return the massless body with the path coordinate."""
    return model.body(
        name, 0.0, coordinates="auxiliary", position=(start, 0.0), velocity=(speed, 0.0)
    )


def marker_along(
    model: "Model",
    name: str,
    pieces: Sequence[PathPiece],
    length: Scalar,
    what: str,
    *,
    start: Any,
    speed: Any,
    tangent: bool,
    closed: bool = False,
) -> MovingMarker:
    """Return a marker moving along the pieces of a beam, or around a closed one."""
    if not isinstance(tangent, bool):
        raise ModelError(f"tangent of {what} is {tangent!r}.", "Give True or False.")
    known = model.parameter_defaults
    begin, value = start_on(model, start, length, what)
    number = path_coordinate(model, name, begin, speed)
    k = max(0, sum(value_of(p.begin, known, what) <= value for p in pieces) - 1)
    ends, around = (None, length) if closed else ((0.0, length), None)
    path = Path(number, tuple(pieces), ends, around=around)
    model.paths[name] = path
    return MovingMarker(pieces[k].body, pieces[k].point(begin), path=path, tangent=tangent)


def start_on(model: "Model", given: Any, end: Scalar, what: str) -> tuple[Scalar, float]:
    """Return the initial path coordinate (from zero to the end) and its numeric value."""
    start = as_scalar(given, f"start of {what}")
    check_between(model, (0.0, start, end), what)
    return start, value_of(start, model.parameter_defaults, what)


def check_between(model: "Model", numbers: tuple[Scalar, Scalar, Scalar], what: str) -> None:
    """Reject an initial path coordinate outside the path."""
    low, start, high = numbers
    known = is_number(low) and is_number(high)
    advice = f"Give a start from {low:g} to {high:g}." if known else "Give a start on the path."
    before, after = f"the way to the start of {what}", f"the way from the start of {what}"
    check_bounds(
        model,
        Bound(start - low, before, NOT_NEGATIVE, advice),
        Bound(high - start, after, NOT_NEGATIVE, advice),
    )
