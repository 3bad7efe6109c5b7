"""Beams of a model: a line of finite elements that share their nodes, with markers on it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from mbdgen.errors import ModelError
from mbdgen.interval import ZERO
from mbdgen.language.argument_types import ScalarLike, VectorLike, VectorsLike
from mbdgen.language.argument_words import explains_arguments
from mbdgen.language.beams.beam_kinds import kinds_of, warn_of_arcs
from mbdgen.language.beams.beam_line import bent_by, end_of, in_plane, line_of, stretch_of
from mbdgen.language.beams.beam_loads import moving
from mbdgen.language.beams.beam_material import check_numbers, factors_of, stuff_of
from mbdgen.language.beams.beam_measures import measure
from mbdgen.language.beams.beam_motion import BeamMotion
from mbdgen.language.beams.cross_section import CrossSection, Material
from mbdgen.language.beams.section_stiffness import SectionStiffness
from mbdgen.language.bodies.body import Body
from mbdgen.language.bodies.orientation import as_orientation
from mbdgen.language.bodies.sharing import Shared
from mbdgen.language.expressions.bounds import Bound, check_bounds
from mbdgen.language.expressions.scalars import (
    Mat33,
    Scalar,
    Vec3,
    as_scalar,
    entries,
    ratio,
    shown,
    space,
    value_of,
)
from mbdgen.language.markers.belt_loop import Loop
from mbdgen.language.markers.marker import Marker
from mbdgen.language.markers.path import MovingMarker, PathPiece, marker_along

if TYPE_CHECKING:
    from mbdgen.language.attached import Attached
    from mbdgen.language.beams.forces_along import Along
    from mbdgen.language.model import Model

_ZERO: Vec3 = (0.0, 0.0, 0.0)
_CLOSE = 1e-12  # of the length: tolerance within which a section is a node


@explains_arguments
@dataclass(frozen=True)
class Beam:
    """A beam of a model; create one with `Model.beam`.

    Attributes
    ----------
    model : Model
        The model it belongs to.
    name : str
        Its name; its elements are called ``NAME_1``, ``NAME_2``, ...
    elements : tuple of Body
        Its elements, from the start on.
    lengths : tuple of scalar
        Natural lengths of the elements.
    section, material
        Cross-section and material; no material if the section is given by its stiffnesses.
    closed : bool
        Whether the beam is a closed loop: its last node is the first.
    """

    model: "Model"
    name: str
    elements: tuple[Body, ...]
    lengths: tuple[Scalar, ...]
    section: CrossSection | SectionStiffness
    material: Material | None
    closed: bool = False

    @property
    def length(self) -> Scalar:
        """Natural length."""
        return sum(self.lengths)

    @property
    def start(self) -> Marker:
        """The section at the start: e1 along the beam, e2 and e3 in the section."""
        return self.node(0)

    @property
    def end(self) -> Marker:
        """The section at the end."""
        return self.node(len(self.elements))

    def node(self, number: int) -> Marker:
        """Return the section at a node, the first of them 0."""
        count = len(self.elements)
        if not isinstance(number, int) or not -count - 1 <= number <= count:
            raise ModelError(
                f"Beam '{self.name}' has no node {shown(number)}.", f"It has 0 to {count}."
            )
        k = number % (count + 1)
        if k == count and self.closed:
            return self.node(0)
        if k == count:
            return self.elements[-1].at(self.lengths[-1], 0.0, 0.0)
        return self.elements[k].at(0.0, 0.0, 0.0)

    def at(self, s: Any, y: Any = 0.0, z: Any = 0.0) -> Marker:
        """Return the section at a distance `s` from the start along the unstrained beam.

        `y` and `z` are the offsets from the midline, in the section.
        """
        what, count = f"position on beam '{self.name}'", len(self.elements)
        share = ratio(as_scalar(s, what), self.length, self.model.parameter_defaults, what)
        if share is None:
            raise ModelError(
                f"The {what} moves through its elements as parameters change.",
                "Give a multiple of its length, as in beam.at(0.9*beam.length).",
            )
        if not -_CLOSE <= share <= 1 + _CLOSE:
            whole = value_of(self.length, self.model.parameter_defaults, what)
            raise ModelError(
                f"The position {share * whole:g} m is not on beam '{self.name}' of {whole:g} m.",
                f"Give a number from 0 to {whole:g}.",
            )
        position = share * count
        if abs(position - round(position)) <= count * _CLOSE:
            position = float(round(position))
        if self.closed and position == count:
            position = 0.0
        k = min(int(position), count - 1)
        return self.elements[k].at(self.lengths[k] * (position - k), y, z)

    def along(
        self, name: str, start: Any = 0.0, *, speed: Any = 0.0, tangent: bool = True
    ) -> MovingMarker:
        """Return a section moving along the beam, for sliding joints.

        Parameters
        ----------
        name : str
            Name of the section; its coordinate ``NAME.s`` is the arc length from the start of the
            unstrained beam, counted on around a closed one.
        start, speed : scalar
            Initial value of ``NAME.s``, from which assembly begins, and its rate.
        tangent : bool
            Whether axis e1 is the tangent; otherwise the axes are those of the section.
        """
        what = f"point '{name}' along beam '{self.name}'"
        pieces, s = [], 0.0
        for body, length in zip(self.elements, self.lengths, strict=True):
            pieces.append(PathPiece(body, s))
            s = s + length
        return marker_along(
            *(self.model, name, pieces, self.length, what),
            start=start, speed=speed, tangent=tangent, closed=self.closed,
        )  # fmt: skip

    def line_load(self, name: str, **fields: Any) -> "Along":
        """Apply a force per natural length: see `mbdgen.forces.line_load.LineLoad`."""
        load: Along = self.model.line_load(name, self, **fields)
        return load

    def moving_load(self, name: str, place: Any, force: Any) -> tuple["Attached", ...]:
        """Apply a travelling force at a varying arc length, while that is on the beam."""
        return moving(self, name, place, force)

    def measure(self, what: str, s: Any, y: Any = 0.0, z: Any = 0.0) -> Any:
        """Return a strain or a force of the section at `s`, for outputs and laws.

        Parameters
        ----------
        what : str
            ``stretch``, ``moment``, ... as defined by its kind, and ``strain``, ``stress`` of the
            fibre at the offsets `y` and `z` from the midline.
        """
        return measure(self, what, s, y, z)

    def __repr__(self) -> str:
        return f"<beam '{self.name}': {len(self.elements)} elements>"


def beam(
    model: "Model",
    name: str,
    points: VectorsLike | Loop,
    section: CrossSection | SectionStiffness,
    material: Material | None = None,
    *,
    elements: int = 10,
    kind: str | type[Any] | Sequence[str | type[Any]] = "",
    across: VectorLike | None = None,
    velocity: VectorLike = (0.0, 0.0, 0.0),
    angular_velocity: ScalarLike | VectorLike = 0.0,
    elongation: ScalarLike = 0.0,
    axial: ScalarLike | None = None,
    bending: ScalarLike | None = None,
    bent: bool | None = None,
) -> Beam:
    """Add a beam to the model, with one body for each finite element, and return it.

    Parameters
    ----------
    points : two points, more of them, or a loop
        Initial midline: a straight line between two points, the smooth curve through all of them,
        or around a `loop` of mbdgen, where the last node is the first one.
    section : CrossSection or SectionStiffness
        ``rectangle``, ``circle``, ``tube`` or ``general_section`` of mbdgen; or
        ``section_stiffness``, which needs no material.
    material : Material
        ``material`` of mbdgen.
    elements : int
        Number of elements, all of the same length.
    kind : str, or one for each element
        Element kind by name (``ancf-omar`` is accepted, too) or class; an unknown name lists them.
        Where two kinds meet, they share the nodal coordinates that both have.
    across : 3 scalars, optional
        Direction to which axis y of the sections is closest; determined in the plane.
    velocity : 3 scalars
        Initial velocity of the start of the beam.
    angular_velocity : 3 scalars, or a scalar about z
        Initial angular velocity of the whole beam, moving as a rigid body.
    elongation : scalar
        Initial axial strain: elongation relative to the natural length.
    axial, bending : scalar, optional
        Factors of the axial stiffness, and of the bending and shear stiffness, for kinds that
        support them.
    bent : bool, optional
        Whether a beam along a curve is straight when unloaded. Otherwise the curve is the
        unstrained configuration, from which moments are measured. Default: true of loops, false of
        others.
    """
    what = f"beam '{name}'"
    count = _count(elements, what)
    known = model.parameter_defaults
    kinds = kinds_of(kind, count, in_plane(points, across, known, what), what)
    stuff = stuff_of(model, section, material, what)
    check_numbers(kinds, stuff.numbers(), what)
    line = line_of(model, points, across, kinds[0].planar, what)
    if line.closed and count < 2:
        raise ModelError(f"{what} is closed and has one element.", "Give at least two.")
    stretch = stretch_of(model, as_scalar(elongation, f"elongation of {what}"), what)
    bent = bent_by(line, bent, stretch, what)
    length = line.length / stretch / count
    v = space(velocity, f"velocity of {what}")
    omega = entries(angular_velocity)
    w = space(angular_velocity if omega is not None else (0.0, 0.0, angular_velocity), what)
    if kinds[0].planar:
        _check_in_plane(model, v, w, what)
    factors = factors_of(model, kinds, axial, bending, what)
    made = []
    for k, element in enumerate(kinds):
        numbers = stuff.numbers(*(factors if element.modified else ()))
        ends = tuple(end_of(line, (k + j) / count, stretch, v, w) for j in range(2))
        axes = _columns(line.at(k / count)[1])
        motion = BeamMotion(
            name=f"{name}_{k + 1}" if count > 1 else name,
            mass=numbers["rhoA"] * length,
            inertia=(_ZERO, _ZERO, _ZERO),
            principal=True,
            centre_of_mass=_ZERO,
            position=ends[0].position,
            orientation=as_orientation(axes, defaults=known, what=f"axes of {what}"),
            angle=None,
            velocity=ends[0].velocity,
            angular_velocity=w,
            length=length,
            ends=ends,
            numbers=tuple(numbers.items()),
            damped=stuff.damped,
            rest=() if bent else ends,
            called=f"element {k + 1} of {what}" if count > 1 else "",
            follows="slopes" if any(b.name == "ry1" for b in element.blocks) else "tangent",
        )
        made.append(Body(model, element, motion))
    warn_of_arcs(name, made, section, known)
    lengths = (length,) * count
    return Beam(model, name, tuple(made), lengths, section, material, line.closed)


def joints_of(beam: Beam) -> list[Shared]:
    """Return the vectors of the common node that neighbouring elements share."""
    followers = (*beam.elements[1:], *(beam.elements[:1] if beam.closed else ()))
    return [
        Shared((a.name, last[name]), (b.name, first[name]))
        for a, b in zip(beam.elements, followers, strict=False)
        for last, first in [(_node(a, "2"), _node(b, "1"))]
        for name in last
        if name in first
    ]


def _check_in_plane(model: "Model", v: Vec3, w: Vec3, what: str) -> None:
    """Reject velocities out of the plane of planar elements."""
    advice = "Its elements are in the plane: give other velocities, or a kind in space."
    out = f"the velocity out of the plane of {what}"
    check_bounds(model, *(Bound(x, out, ZERO, advice) for x in (v[2], *w[:2])))


def _node(element: Body, end: str) -> dict[str, str]:
    """Return the coordinate blocks of a node of an element by their meaning."""
    assert element.kind is not None
    names = (block.name for block in element.kind.blocks)
    return {name[:-1]: name for name in names if name.endswith(end)}


def _count(elements: Any, what: str) -> int:
    if isinstance(elements, bool) or not isinstance(elements, int) or elements < 1:
        raise ModelError(f"{what} has {shown(elements)} elements.", "Give a whole number above 0.")
    return elements


def _columns(axes: Mat33) -> Mat33:
    x, y, z = axes
    return tuple((x[k], y[k], z[k]) for k in range(3))  # type: ignore[return-value]
