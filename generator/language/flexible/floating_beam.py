"""Straight beams of small strains in a floating frame, by assumed modes or finite elements."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from mbdgen.errors import ModelError
from mbdgen.interval import POSITIVE, ZERO
from mbdgen.language.argument_types import ScalarLike, VectorLike, VectorsLike
from mbdgen.language.argument_words import explains_arguments
from mbdgen.language.beams.beam_line import in_plane, line_of
from mbdgen.language.beams.beam_material import Stuff, stuff_of
from mbdgen.language.beams.cross_section import CrossSection, Material
from mbdgen.language.beams.section_stiffness import ASKED, SectionStiffness
from mbdgen.language.bodies.body import Body
from mbdgen.language.bodies.body_builder import describe
from mbdgen.language.expressions.bounds import Bound, check_bounds
from mbdgen.language.expressions.scalars import (
    Scalar,
    Vec3,
    as_scalar,
    atan2,
    entries,
    ratio,
    shown,
    space,
    sqrt,
)
from mbdgen.language.flexible.floating_modes import BeamModes
from mbdgen.language.flexible.floating_options import amplitudes_of, damping_of, families_of
from mbdgen.language.flexible.floating_path import pieces_of
from mbdgen.language.flexible.floating_picture import picture_of
from mbdgen.language.flexible.modal_motion import ModalMotion, ModalStation
from mbdgen.language.markers.marker import Marker
from mbdgen.language.markers.path import MovingMarker, marker_along
from mbdgen.language.registry import floating_kind
from mbdgen.modal.families import (
    BENDING,
    IN_PLANE,
    IN_SPACE,
    STRETCHING,
    TWISTING,
    Family,
    sorts_of,
)

if TYPE_CHECKING:
    from mbdgen.language.model import Model

FOLLOWS = (
    "coordinates", "position", "orientation", "angle", "centre_of_mass", "inertia_about",
    "allow_unphysical_inertia", "length", "points", "vectors", "rigid_by",
)  # fmt: skip
"""Arguments of a body that follow from the end points of a beam and must not be given."""


@explains_arguments
@dataclass(frozen=True)
class FloatingBeam:
    """A beam in a floating frame of reference; create one with `Model.floating_beam`.

    Attributes
    ----------
    body : Body
        Its body: markers on it are fixed in the floating frame, those of the beam move with it.
    modes : BeamModes
        Its modes, with its length and mass.
    section : CrossSection or SectionStiffness
        Its cross-section.
    """

    drawn_as: ClassVar[str] = "floating"
    body: Body
    modes: BeamModes
    section: CrossSection | SectionStiffness

    @property
    def name(self) -> str:
        """The name."""
        return self.body.name

    @property
    def length(self) -> Scalar:
        """Undeformed length."""
        return self.modes.length

    @property
    def mass(self) -> Scalar:
        """The mass."""
        return self.modes.mass

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

    def at(self, s: Any, y: Any = 0.0, z: Any = 0.0) -> Marker:
        """Return the section at a distance `s` from the start.

        `y` and `z` are the offsets from the midline, in the section.
        """
        what = f"position on beam '{self.name}'"
        s, y, z = (as_scalar(x, what) for x in (s, y, z))
        known = self.body.model.parameter_defaults
        share = ratio(s, self.length, known, what)
        if share is None:
            raise ModelError(
                f"The {what} is {s}, which is no fixed part of its length.",
                "Give a number times the length, such as beam.at(0.5 * beam.length).",
            )
        if not -1e-12 <= share <= 1 + 1e-12:
            raise ModelError(
                f"The position {s} m is not on beam '{self.name}' of {self.length} m.",
                "Give a distance from its start up to its length.",
            )
        if self.modes.planar:
            advice = "Give a point in the plane, or `across` for a beam in space."
            check_bounds(self.body.model, Bound(z, f"z of a {what}", ZERO, advice))
        shape = self.modes.shape(min(max(share, 0.0), 1.0), y, z)
        return ModalStation(self.body, (s, y, z), shape=shape)

    def along(
        self, name: str, start: Any = 0.0, *, speed: Any = 0.0, tangent: bool = True
    ) -> MovingMarker:
        """Return a section moving along the beam: see `mbdgen.language.beams.beam.Beam.along`."""
        what = f"point '{name}' along beam '{self.name}'"
        if not self.modes.planar:
            raise ModelError(
                f"The {what} moves along a beam in a floating frame in space, which is not known.",
                "Take m.beam(...) for what something slides on, or a floating beam in the plane.",
            )
        return marker_along(
            self.body.model, name, pieces_of(self), self.length, what,
            start=start, speed=speed, tangent=tangent,
        )  # fmt: skip

    @property
    def picture(self) -> tuple[Scalar, ...]:
        """Data of the beam for pictures."""
        return picture_of(self)

    def __repr__(self) -> str:
        return f"<floating beam '{self.name}': {self.modes.count} modes>"


def floating_beam(
    model: "Model",
    name: str,
    points: VectorsLike,
    section: CrossSection | SectionStiffness,
    material: Material | None = None,
    *,
    across: VectorLike | None = None,
    modes: Sequence[int] | None = None,
    elements: int | None = None,
    frame: Literal["tangent", "chord", "mean"] | str = "tangent",
    stiffened: bool = False,
    damping: ScalarLike | VectorLike = 0.0,
    amplitudes: VectorLike | None = None,
    rates: VectorLike | None = None,
    **description: Any,
) -> FloatingBeam:
    """Return a straight beam of small strains in a floating frame of reference.

    Parameters
    ----------
    points : two points
        Start and end in the undeformed configuration.
    section : CrossSection or SectionStiffness
        As of `Model.beam`.
    material : Material
        As of `Model.beam`; damping of the material adds to that of the modes.
    across : 3 scalars, optional
        Direction to which axis y of the sections is closest. With it, or with points out of the
        plane z = 0, the beam is spatial.
    modes : tuple of int, optional
        Numbers of modes of bending and of stretch, (3, 1) unless `elements` is given; in space of
        bending along y and along z, of stretch and of torsion, (3, 3, 1, 1).
    elements : int, optional
        Number of finite elements with cubic displacements; all of their modes unless `modes` is
        given.
    frame : {"tangent", "chord", "mean"}
        Reference conditions of the frame: tangent at the start, chord through both ends, or the
        mean axes (modes without momentum).
    stiffened : bool
        Whether the foreshortening due to bending is included (geometric stiffening in rotation).
    damping : scalar, or one for each mode
        Damping ratio.
    amplitudes, rates : scalars, optional
        Initial modal amplitudes and their rates.
    **description
        Rigid-body motion of the start (`velocity`, `angular_velocity`), `color`, ...
    """
    what = f"floating beam '{name}'"
    stuff = stuff_of(model, section, material, what)
    if not isinstance(stiffened, bool):
        raise ModelError(f"stiffened of {what} is {shown(stiffened)}.", "Use True or False.")
    ends = _ends(points, what)
    planar = in_plane(points, across, model.parameter_defaults, what)
    families = families_of(IN_PLANE if planar else IN_SPACE, frame, modes, elements, what)
    make = _in_plane if planar else _in_space
    body, length = make(model, name, ends, across, stuff.numbers(), description)
    spin = body.motion.inertia[0][0]
    found = BeamModes(families, length, body.motion.mass, spin, planar, frame == "mean", stiffened)
    table = found.table([_unit(family, found, stuff, what) for family in families])
    viscous = [
        stuff.shear_damping if sort is TWISTING else stuff.damping for sort in sorts_of(families)
    ]
    table = replace(
        table,
        damping=damping_of(damping, table.stiffness, viscous, what),
        amplitudes=amplitudes_of(amplitudes, found.count, f"amplitudes of {what}"),
        rates=amplitudes_of(rates, found.count, f"rates of {what}"),
    )
    body.kind = floating_kind(found.count, planar=planar, stiffened=stiffened)()
    body.motion = ModalMotion(**vars(body.motion), modes=table)
    return FloatingBeam(body, found, section)


def _ends(points: Any, what: str) -> tuple[Vec3, Vec3]:
    given = entries(points)
    if given is None or len(given) != 2:
        raise ModelError(f"The points of {what} are {shown(points)}.", "Give its start and end.")
    a, b = (space(x, f"point of {what}") for x in given)
    return a, b


def _in_plane(
    model: "Model",
    name: str,
    ends: tuple[Vec3, Vec3],
    across: Any,
    numbers: Mapping[str, Scalar],
    description: Mapping[str, Any],
) -> tuple[Body, Scalar]:
    """Return the body and the length of a planar beam."""
    what, (start, end) = f"floating beam '{name}'", ends
    along = [b - a for a, b in zip(start, end, strict=True)]
    advice = "Give points in the plane z = 0, or `across` for a beam in space."
    check_bounds(model, *(Bound(p[2], f"z of an end of {what}", ZERO, advice) for p in ends))
    length = sqrt(along[0] ** 2 + along[1] ** 2)
    apart = "Give two points that are apart."
    check_bounds(model, Bound(length, f"the length of {what}", POSITIVE, apart))
    mass = numbers["rhoA"] * length
    placed = {"angle": atan2(along[1], along[0]), "centre_of_mass": (length / 2, 0.0, 0.0)}
    _check_motion_in_plane(model, description, what)
    body = describe(
        model, name, mass, mass * length**2 / 12,
        **{**description, "coordinates": "planar", "position": start, **placed},
    )  # fmt: skip
    return body, length


def _check_motion_in_plane(model: "Model", description: Mapping[str, Any], what: str) -> None:
    """Reject velocities out of the plane of a planar beam."""
    v = entries(description.get("velocity", ())) or ()
    w = entries(description.get("angular_velocity", ())) or ()
    out = [as_scalar(x, f"velocity of {what}") for x in (*v[2:3], *w[:2])]
    advice = "It is in the plane: give other velocities, or `across` for a beam in space."
    check_bounds(
        model, *(Bound(x, f"the velocity out of plane of {what}", ZERO, advice) for x in out)
    )


def _in_space(
    model: "Model",
    name: str,
    ends: tuple[Vec3, Vec3],
    across: Any,
    numbers: Mapping[str, Scalar],
    description: Mapping[str, Any],
) -> tuple[Body, Scalar]:
    """Return the body and the length of a spatial beam, without rotary inertia of bending."""
    line = line_of(model, ends, across, False, f"floating beam '{name}'")
    length, (start, axes) = line.length, line.at(0.0)
    mass = numbers["rhoA"] * length
    spin, turn = (numbers["rhoIz"] + numbers["rhoIy"]) * length, mass * length**2 / 12
    columns = [[axis[k] for axis in axes] for k in range(3)]
    placed = {"orientation": columns, "centre_of_mass": (length / 2, 0.0, 0.0)}
    body = describe(
        model, name, mass, (spin, turn, turn),
        **{**description, "coordinates": "quaternion", "position": start, **placed},
    )  # fmt: skip
    return body, length


def _unit(family: Family, beam: BeamModes, stuff: Stuff, what: str) -> Scalar:
    """Return the unit of the eigenvalues of a family: the square of a circular frequency."""
    numbers, sort = stuff.numbers(), family.sort
    if sort is TWISTING:
        if len(family.modes.values) and "GJ" not in numbers:
            raise ModelError(
                f"Modes of twisting of {what} need {ASKED['GJ']}= of the section.",
                "Give it to section_stiffness(...), or leave them out: modes=(3, 3, 1, 0).",
            )
        return numbers.get("GJ", 0.0) / (beam.spin * beam.length)
    if sort is STRETCHING:
        return numbers["EA"] / (beam.mass * beam.length)
    return numbers["EIz" if sort is BENDING else "EIy"] / (beam.mass * beam.length**3)
