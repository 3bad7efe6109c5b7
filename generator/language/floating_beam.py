"""Planar beams in a floating frame, by assumed modes or by finite elements with small strains."""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from mbdgen.errors import ModelError
from mbdgen.interval import POSITIVE, ZERO
from mbdgen.language.beam_stuff import Stuff, stuff_of
from mbdgen.language.body import Body
from mbdgen.language.bounds import Bound, require
from mbdgen.language.cross_section import CrossSection
from mbdgen.language.describe import describe
from mbdgen.language.floating_path import pieces_of
from mbdgen.language.floating_picture import picture_of
from mbdgen.language.marker import Marker
from mbdgen.language.modal import ModalMotion, Modes, Row, Station
from mbdgen.language.modal_options import amplitudes_of, damping_of
from mbdgen.language.path import MovingMarker, place_along
from mbdgen.language.registry import floating_kind
from mbdgen.language.scalars import (
    Scalar,
    Vec3,
    as_scalar,
    atan2,
    entries,
    is_number,
    shown,
    space,
    sqrt,
)
from mbdgen.language.section_stiffness import SectionStiffness
from mbdgen.modal.lines import FRAMES, MOST, LineModes, bending, element_modes, stretching
from mbdgen.modal.planar import LineIntegrals, integrals, shortening

if TYPE_CHECKING:
    from mbdgen.language.model import Model


@dataclass(frozen=True)
class FloatingBeam:
    """A planar beam in a floating frame; make one with `Model.floating_beam`.

    Attributes
    ----------
    body : Body
        Its body: markers on it are fixed in the floating frame, those of the beam move with it.
    length, mass : scalar
        Of the beam at rest.
    bending, stretching : LineModes
        Modes of bending and of stretching, in this order.
    section : CrossSection or SectionStiffness
        What it looks like.
    mean, stiffened : bool
        Whether the frame follows it in the mean, and whether bending draws it together.
    """

    drawn_as: ClassVar[str] = "floating"
    body: Body
    length: Scalar
    mass: Scalar
    bending: LineModes
    stretching: LineModes
    section: CrossSection | SectionStiffness
    mean: bool
    stiffened: bool

    @property
    def name(self) -> str:
        """The name."""
        return self.body.name

    @property
    def start(self) -> Marker:
        """The section at the start."""
        return self.at(0.0)

    @property
    def end(self) -> Marker:
        """The section at the end."""
        return self.at(self.length)

    @property
    def frame(self) -> Marker:
        """The floating frame itself, at the start of the undeformed beam."""
        return self.body.origin

    def at(self, s: Any, y: Any = 0.0) -> Marker:
        """Return the section at a distance `s` from the start; `y` leads away from the midline."""
        what = f"place on beam '{self.name}'"
        s, y = as_scalar(s, what), as_scalar(y, what)
        share = s / self.length
        if not is_number(share):
            raise ModelError(
                f"The {what} is {s}, which is no fixed part of its length.",
                "Give a number times the length, such as beam.at(0.5 * beam.length).",
            )
        if not -1e-12 <= share <= 1 + 1e-12:
            raise ModelError(
                f"The place {s} m is not on beam '{self.name}' of {self.length} m.",
                "Give a distance from its start up to its length.",
            )
        return Station(self.body, (s, y, 0.0), shape=self._shape(min(max(share, 0.0), 1.0), y))

    def along(
        self, name: str, start: Any = 0.0, *, speed: Any = 0.0, tangent: bool = True
    ) -> MovingMarker:
        """Return a place that moves along the beam: see `mbdgen.language.beam.Beam.along`."""
        what = f"place '{name}' along beam '{self.name}'"
        return place_along(
            self.body.model, name, pieces_of(self), self.length, what,
            start=start, speed=speed, tangent=tangent,
        )  # fmt: skip

    @property
    def picture(self) -> tuple[Scalar, ...]:
        """What pictures show of it."""
        return picture_of(self)

    def _shape(self, share: float, y: Scalar) -> Row:
        """Return displacements, turns and shortening of a section."""
        place = np.array([share])
        w, slope = (x[:, 0] for x in self.bending.field(place))
        u = self.stretching.field(place)[0][:, 0]
        root, size = sqrt(self.mass), self.length
        turns = [float(x) / (root * size) for x in slope]
        moved: list[Scalar] = []
        for x, turn in zip(w, turns, strict=True):
            moved += [-y * turn, float(x) / root]
        for x in u:
            moved += [float(x) / root, 0.0]
        turns += [0.0] * len(u)
        return (*moved, *turns, *self._drawn(share))

    def _drawn(self, share: float) -> Row:
        if not self.stiffened:
            return ()
        c, n = shortening(self.bending, share), len(self.bending.values)
        if self.mean:
            c = c - integrals(self.bending, self.stretching, mean=False).c
        drawn = -1 / (self.mass * self.length)
        count = n + len(self.stretching.values)
        pairs = [(j, k) for j in range(count) for k in range(j, count)]
        return tuple(drawn * float(c[j, k]) if k < n else 0.0 for j, k in pairs)

    def __repr__(self) -> str:
        return (
            f"<floating beam '{self.name}': {self.body.kind and self.body.kind.deformations} modes>"
        )


def floating_beam(
    model: "Model",
    name: str,
    points: Any,
    section: Any,
    material: Any = None,
    *,
    modes: Any = None,
    elements: Any = None,
    frame: Any = "tangent",
    stiffened: bool = False,
    damping: Any = 0.0,
    amplitudes: Any = None,
    rates: Any = None,
    **description: Any,
) -> FloatingBeam:
    """Return a straight planar beam in a floating frame, of small strains.

    Parameters
    ----------
    points : two points
        Start and end, at rest and without strain.
    section, material
        See `mbdgen.language.beam.beam`; damping of the material adds to that of the modes.
    modes : (int, int), optional
        How many modes of bending and of stretching, (3, 1) unless `elements` is given.
    elements : int, optional
        Finite elements with cubic displacements, and all of their modes unless `modes` is given.
    frame : {"tangent", "chord", "mean"}
        The frame is tangent to the start, goes through both ends, or follows the beam in the mean.
    stiffened : bool
        Whether bending draws the beam together, which stiffens it when it rotates.
    damping : scalar, or one for each mode
        Ratio.
    amplitudes, rates : scalars, optional
        Of the modes at the start.
    **description
        Motion of the start as a rigid body (`velocity`, `angular_velocity`), `color`, ...
    """
    what = f"floating beam '{name}'"
    stuff = stuff_of(model, section, material, what)
    start, end = _ends(points, what)
    along = [b - a for a, b in zip(start, end, strict=True)]
    out = f"z of an end of {what}"
    require(
        model, *(Bound(p[2], out, ZERO, "Give points in the plane z = 0.") for p in (start, end))
    )
    length = sqrt(along[0] ** 2 + along[1] ** 2)
    apart = "Give two points that are apart."
    require(model, Bound(length, f"the length of {what}", POSITIVE, apart))
    found = _modes_of(frame, modes, elements, what)
    mass = stuff.numbers()["rhoA"] * length
    body = describe(
        model, name, mass, mass * length**2 / 12,
        **{
            **description,
            "coordinates": "planar",
            "position": start,
            "angle": atan2(along[1], along[0]),
            "centre_of_mass": (length / 2, 0.0, 0.0),
        },
    )  # fmt: skip
    if not isinstance(stiffened, bool):
        raise ModelError(f"stiffened of {what} is {shown(stiffened)}.", "Use True or False.")
    count = sum(len(x.values) for x in found)
    if count > MOST:
        raise ModelError(
            f"{what} would have {count} modes.",
            f"At most {MOST} are possible: say which with modes=(3, 1).",
        )
    numbers = integrals(*found, mean=frame == "mean")
    table = _table(numbers, *found, mass, length, stuff, stiffened)
    table = replace(
        table,
        damping=damping_of(damping, table.stiffness, stuff.damping, what),
        amplitudes=amplitudes_of(amplitudes, count, f"amplitudes of {what}"),
        rates=amplitudes_of(rates, count, f"rates of {what}"),
    )
    body.kind = floating_kind(count, planar=True, stiffened=stiffened)()
    body.motion = ModalMotion(**vars(body.motion), modes=table)
    return FloatingBeam(body, length, mass, *found, section, frame == "mean", stiffened)


def _ends(points: Any, what: str) -> tuple[Vec3, Vec3]:
    given = entries(points)
    if given is None or len(given) != 2:
        raise ModelError(f"The points of {what} are {shown(points)}.", "Give its start and end.")
    a, b = (space(x, f"point of {what}") for x in given)
    return a, b


def _modes_of(frame: Any, modes: Any, elements: Any, what: str) -> tuple[LineModes, LineModes]:
    if frame not in FRAMES:
        raise ModelError(
            f"The frame of {what} is {shown(frame)}.", f"Use one of: {', '.join(FRAMES)}."
        )
    counts = None if modes is None and elements is not None else _counts(modes, what)
    if elements is None:
        assert counts is not None
        return bending(frame, counts[0]), stretching(frame, counts[1])
    if isinstance(elements, bool) or not isinstance(elements, int) or elements < 1:
        raise ModelError(f"{what} has {shown(elements)} elements.", "Give a whole number above 0.")
    across, along = counts or (None, None)
    found = (
        element_modes(frame, True, elements, across),
        element_modes(frame, False, elements, along),
    )
    have = tuple(len(x.values) for x in found)
    if counts is not None and have != counts:
        raise ModelError(
            f"{what} of {elements} elements has {have[0]} modes of bending and {have[1]} of "
            f"stretching, not {counts[0]} and {counts[1]}.",
            "Ask for fewer modes, or give more elements.",
        )
    return found


def _counts(modes: Any, what: str) -> tuple[int, int]:
    given = entries((3, 1) if modes is None else modes) or ()
    counts = [x for x in given if isinstance(x, int) and not isinstance(x, bool) and x >= 0]
    if len(given) != 2 or len(counts) != 2 or not 0 < sum(counts) or max(counts) > MOST:
        raise ModelError(
            f"The modes of {what} are {shown(modes)}.",
            f"Give two whole numbers, of bending and of stretching, up to {MOST}: modes=(3, 1).",
        )
    return counts[0], counts[1]


def _table(
    x: LineIntegrals,
    across: LineModes,
    along: LineModes,
    mass: Scalar,
    length: Scalar,
    stuff: Stuff,
    stiffened: bool,
) -> Modes:
    """Give the integrals their dimensions."""
    root, n, count = sqrt(mass), len(across.values), len(across.values) + len(along.values)
    numbers = stuff.numbers()
    bend, pull = numbers["EIz"] / (mass * length**3), numbers["EA"] / (mass * length)
    pairs = [(j, k) for j in range(count) for k in range(j, count)]
    drawn = pairs if stiffened else []

    def of_pair(table: Any, j: int, k: int) -> float:
        return float(table[j, k]) if k < n else 0.0

    return Modes(
        stiffness=(
            *(float(v) * bend for v in across.values),
            *(float(v) * pull for v in along.values),
        ),
        damping=(),
        shift=(*((0.0, root * float(v)) for v in x.w), *((root * float(v), 0.0) for v in x.u)),
        turn=(*((root * length * float(v),) for v in x.w_turn), *((0.0,) for _ in x.u)),
        inertia=(*((0.0,) for _ in x.w), *((2 * root * length * float(v),) for v in x.u_turn)),
        inertia_2=tuple(((-1.0 if j == k else -2.0) * of_pair(x.c_turn, j, k),) for j, k in drawn),
        gyration=tuple((-float(x.wu[j, k - n]) if j < n <= k else 0.0,) for j, k in pairs if j < k),
        shift_2=tuple((of_pair(x.c, j, k) * (-1 / length), 0.0) for j, k in drawn),
    )
