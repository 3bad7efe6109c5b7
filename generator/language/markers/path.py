"""Places that move along a body: a number without mass says where each of them is.

A beam is a path of as many pieces as it has elements. What is said of such a place is stated on
every piece, and counts on the one where the number is (`Path.number`).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from mbdgen.errors import ModelError
from mbdgen.interval import NOT_NEGATIVE
from mbdgen.language.argument_words import explains_arguments
from mbdgen.language.expressions.bounds import Bound, require
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
"""Where the first piece begins and the last one ends: a step that tries more than the path has
finds the equations of the end."""


@dataclass(frozen=True)
class PathPiece:
    """A piece of a path.

    Attributes
    ----------
    body : Body
        Where it is.
    begin : scalar
        What the number is at its beginning.
    """

    body: "Body"
    begin: Scalar

    def marker(self, axes: Mat33) -> Marker:
        """Return a marker of it; where along it is left open."""
        return Marker(self.body, _ORIGIN, axes)

    def point(self, number: Scalar) -> Vec3:
        """Return where a place on it is, from the reference point of its body at rest."""
        return (number - self.begin, 0.0, 0.0)


@dataclass(frozen=True)
class PathCurve:
    r"""A curve fixed in a rigid body, or in the ground.

    Attributes
    ----------
    position : Function
        :math:`c(s)` from the body's reference point, in its axes.
    normal : Function, or None
        What the second axis of the triad comes closest to; None where z is constant.
    """

    position: Function
    normal: Function | None

    def axes(self, s: Scalar) -> Mat33:
        """Return the tangent triad at a place, in the axes of the body."""
        slope = self.position.derivative()(s)
        if self.normal is None:
            x, y = normalised(slope[:2])
            return (x, y, 0.0), (-y, x, 0.0), (0.0, 0.0, 1.0)
        n, b, t = triad(slope, self.normal(s))
        return t, n, b


@dataclass(frozen=True)
class Path:
    """What a place moves along.

    Attributes
    ----------
    number : Body
        The number that says where it is: coordinates without mass.
    pieces : tuple of PathPiece
        In order.
    ends : two scalars, or None
        What the number is where it begins and ends; a curve goes on without them.
    around : scalar, or None
        The length of a closed path, which begins again where it ends: the number goes on.
    curve : PathCurve, optional
        Of a rigid body; without one, it is the midline of a beam.
    """

    number: "Body"
    pieces: tuple[PathPiece, ...]
    ends: tuple[Scalar, Scalar] | None
    curve: PathCurve | None = None
    around: Scalar | None = None

    def piece_of(self, marker: "MovingMarker", k: int) -> Marker:
        """Return the marker of a place on one of the pieces; where along it is left open."""
        return self.pieces[k].marker(marker.axes)

    def borders(self, k: int) -> tuple[Scalar, Scalar]:
        """Return between which numbers a piece counts."""
        first = self.pieces[k].begin if k else -BEYOND
        last = self.pieces[k + 1].begin if k + 1 < len(self.pieces) else BEYOND
        return first, last


@explains_arguments
@dataclass(frozen=True)
class MovingMarker(Marker):
    """A place that moves along a path, with the axes of the path there: e1 along it.

    Joints hold it like any other marker: a spherical joint lets a point slide and turn freely, a
    fixed one lets it slide only. The number has no mass: without a force along it, as friction is,
    none along the path acts on what it holds.

    Attributes
    ----------
    path : Path
        What it moves along.
    tangent : bool
        Whether e1 is the tangent; otherwise the axes are those of the section.
    axes_at_start : three vectors
        Axes of the path there, in those of the body.
    """

    path: Path | None = None
    tangent: bool = True
    axes_at_start: Mat33 = IDENTITY

    def local_direction(self, direction: Vec3) -> Vec3:
        """Turn a direction at the start from global axes into those of the path."""
        return times_vector(self.axes_at_start, super().local_direction(direction))

    @property
    def along(self) -> Path:
        """What it moves along."""
        assert self.path is not None
        return self.path

    @property
    def s(self) -> Any:
        """Where it is: the distance from the start of the unstrained beam.

        On a closed beam it goes on: with every round by the length of the beam.
        """
        return self.along.number.variable("number")

    @property
    def speed(self) -> Any:
        """The rate of `s`."""
        return self.along.number.variable("rate")

    @property
    def piece(self) -> Any:
        """Which element it is on, from 1 on."""
        begins = [p.begin for p in self.along.pieces[1:]]
        if not begins:
            return 1.0
        from mbdgen.language.expressions.piecewise_index import Chosen, around

        s = self.s if self.along.around is None else around(self.s, self.along.around)
        if all(is_number(begin) for begin in begins):
            return Chosen(s, *map(float, begins), *range(1, len(begins) + 2))
        from sympy import Heaviside

        return 1 + sum(Heaviside(s - begin, 1) for begin in begins)  # where parameters are now

    @property
    def label(self) -> str:
        """Its name, for messages and printed symbols."""
        return self.along.number.name


def place_number(model: "Model", name: str, start: Scalar, speed: Any) -> "Body":
    """Return the number of a place, which has no mass."""
    return model.body(
        name, 0.0, coordinates="auxiliary", position=(start, 0.0), velocity=(speed, 0.0)
    )


def place_along(
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
    """Return a place that moves along the pieces of a beam, or around a closed one."""
    if not isinstance(tangent, bool):
        raise ModelError(f"tangent of {what} is {tangent!r}.", "Give True or False.")
    known = model.parameter_defaults
    begin, value = start_on(model, start, length, what)
    number = place_number(model, name, begin, speed)
    k = max(0, sum(value_of(p.begin, known, what) <= value for p in pieces) - 1)
    ends, around = (None, length) if closed else ((0.0, length), None)
    path = Path(number, tuple(pieces), ends, around=around)
    model.paths[name] = path
    return MovingMarker(pieces[k].body, pieces[k].point(begin), path=path, tangent=tangent)


def start_on(model: "Model", given: Any, end: Scalar, what: str) -> tuple[Scalar, float]:
    """Return where a place begins on a path from zero to its end, and the value of that."""
    start = as_scalar(given, f"start of {what}")
    require_between(model, (0.0, start, end), what)
    return start, value_of(start, model.parameter_defaults, what)


def require_between(model: "Model", numbers: tuple[Scalar, Scalar, Scalar], what: str) -> None:
    """Refuse a place that begins before its path or after it."""
    low, start, high = numbers
    known = is_number(low) and is_number(high)
    advice = f"Give a start from {low:g} to {high:g}." if known else "Give a start on the path."
    before, after = f"the way to the start of {what}", f"the way from the start of {what}"
    require(
        model,
        Bound(start - low, before, NOT_NEGATIVE, advice),
        Bound(high - start, after, NOT_NEGATIVE, advice),
    )
