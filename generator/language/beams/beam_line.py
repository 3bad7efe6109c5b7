"""Initial midline of a beam: a straight line, a curve or a closed loop."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import cos, sin
from typing import TYPE_CHECKING, Any, Protocol

from mbdgen.errors import ModelError
from mbdgen.interval import POSITIVE, ZERO, Interval
from mbdgen.language.beams.beam_curve import curve_through
from mbdgen.language.beams.beam_motion import BeamEnd
from mbdgen.language.expressions.bounds import Bound, check_bounds
from mbdgen.language.expressions.scalars import (
    Defaults,
    Mat33,
    Scalar,
    Vec3,
    entries,
    is_number,
    shown,
    space,
    value_of,
)
from mbdgen.language.expressions.small_vectors import cross, minus, scaled
from mbdgen.language.markers.belt_loop import Loop
from mbdgen.language.markers.triad import triad

if TYPE_CHECKING:
    from mbdgen.language.model import Model


class BeamLine(Protocol):
    """Protocol of the midline of a beam."""

    @property
    def length(self) -> Scalar:
        """Arc length."""
        ...

    @property
    def closed(self) -> bool:
        """Whether the line is closed."""
        ...

    def at(self, share: float) -> tuple[Vec3, Mat33]:
        """Return the point, the tangent and the section axes at a fraction of the length."""
        ...


@dataclass(frozen=True)
class StraightBeamLine:
    """Straight midline between two points, with constant section axes."""

    start: Vec3
    along: Vec3
    axes: Mat33
    length: Scalar
    closed: bool = False

    def at(self, share: float) -> tuple[Vec3, Mat33]:
        """Return a point of the straight line."""
        x, y, z = scaled(share, self.along)
        return (self.start[0] + x, self.start[1] + y, self.start[2] + z), self.axes


@dataclass(frozen=True)
class Around:
    """Closed midline in the plane."""

    loop: Loop
    closed: bool = True

    @property
    def length(self) -> Scalar:
        """Circumference."""
        return self.loop.length

    def at(self, share: float) -> tuple[Vec3, Mat33]:
        """Return a point of the loop."""
        (x, y), phi = self.loop.at(share)
        c, s = cos(phi), sin(phi)
        return (x, y, 0.0), ((c, s, 0.0), (-s, c, 0.0), (0.0, 0.0, 1.0))


def line_of(model: "Model", points: Any, across: Any, planar: bool, what: str) -> BeamLine:
    """Return the midline from user input: two points, more of them, or a `Loop`."""
    if not isinstance(points, Loop):
        given = entries(points)
        if given is not None and len(given) > 2:
            return curve_through(given, across, planar, what)
        return _straight(model, points, across, planar, what)
    if not planar or across is not None:
        raise ModelError(
            f"{what} goes around a loop, but its elements are not in the plane.",
            "Take a kind of the plane, such as 'belt', and give no `across`.",
        )
    return Around(points)


def in_plane(points: Any, across: Any, known: Defaults, what: str) -> bool:
    """Return whether a line is described in the plane z = 0, without `across`."""
    if isinstance(points, Loop):
        return True
    given = entries(points) or ()
    if any(entries(point) is None for point in given):
        raise ModelError(
            f"The points of {what} are {shown(points)}: not all of them are points.",
            "Give lists of two or three numbers, as in [(0, 0), (2, 0)].",
        )
    vectors = [space(x, f"point of {what}") for x in given]
    return across is None and not any(value_of(p[2], known, what) for p in vectors)


def stretch_of(model: "Model", elongation: Any, what: str) -> Scalar:
    """Return the ratio of the initial length of a beam to its natural length."""
    advice = "Give the part by which it is longer at the start than without load: 0.01 is 1 %."
    check_bounds(model, Bound(elongation, f"the elongation of {what}", Interval(-1.0), advice))
    return 1.0 if is_number(elongation) and elongation == 0 else 1.0 + elongation


def bent_by(line: BeamLine, bent: Any, stretch: Scalar, what: str) -> bool:
    """Return whether a beam is straight when unloaded and bent along its line initially.

    The default is true of loops, false of other curves; it is irrelevant to straight lines.
    """
    if isinstance(line, StraightBeamLine) and bent is None:
        return True
    chosen = line.closed if bent is None else bent
    if not isinstance(chosen, bool) or isinstance(line, StraightBeamLine):
        raise ModelError(
            f"{what} has bent={shown(bent)}.",
            "Give True or False to a beam along a curve: whether it is straight without load.",
        )
    if not chosen and not (is_number(stretch) and stretch == 1):
        raise ModelError(
            f"{what} is curved without load and has an elongation.",
            "Leave one of them away, or say bent=True: it is straight without load.",
        )
    return chosen


def end_of(line: BeamLine, share: float, stretch: Scalar, v: Vec3, w: Vec3) -> BeamEnd:
    """Return the node at a fraction of the length, in rigid-body motion about the start."""
    position, (x, y, z) = line.at(share)
    turning = cross(w, minus(position, line.at(0.0)[0]))
    x = x if is_number(stretch) and stretch == 1 else scaled(stretch, x)
    return BeamEnd(
        position=position,
        slopes=(x, y, z),
        velocity=(v[0] + turning[0], v[1] + turning[1], v[2] + turning[2]),
        rates=(cross(w, x), cross(w, y), cross(w, z)),
    )


def _straight(
    model: "Model", points: Any, across: Any, planar: bool, what: str
) -> StraightBeamLine:
    given = entries(points)
    if given is None or len(given) != 2:
        raise ModelError(
            f"The points of {what} are {shown(points)}.",
            "Give its start and end, points of a curve, or a loop(...).",
        )
    start, end = (space(x, f"point of {what}") for x in given)
    along = minus(end, start)
    square = along[0] ** 2 + along[1] ** 2 + along[2] ** 2
    length = Bound(
        square**0.5, f"the length of {what}", POSITIVE, "Give two points that are apart."
    )
    check_bounds(model, length)
    if planar:
        _check_in_plane(model, (start, end), across, what)
    # A triad has e3 along its axis and e1 closest to the reference.
    third = (0.0, 0.0, 1.0) if planar else None
    reference = across if across is not None else (None if third is None else cross(third, along))
    y, z, x = triad(
        along, reference, defaults=model.parameter_defaults, what=f"direction of {what}"
    )
    return StraightBeamLine(start, along, (x, y, z), square**0.5)


def _check_in_plane(model: "Model", ends: Sequence[Vec3], across: Any, what: str) -> None:
    """Reject a line that leaves the plane z = 0 of planar elements."""
    advice = "Its elements are in the plane z = 0: give points there, or a kind in space."
    check_bounds(model, *(Bound(p[2], f"z of an end of {what}", ZERO, advice) for p in ends))
    if across is not None:
        raise ModelError(
            f"{what} has elements in the plane z = 0 and `across`.",
            "Leave it away, or take a kind of element in space.",
        )
