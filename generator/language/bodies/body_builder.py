"""Builder of bodies: from user arguments to a complete, validated description.

The signature of `describe` is the list of everything that can be said: that of `Model.body` is
written from it. That is why it is so long.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal

from mbdgen.errors import ModelError, meant
from mbdgen.language.argument_types import (
    InertiaLike,
    MassLike,
    ScalarLike,
    VectorLike,
    VectorsLike,
)
from mbdgen.language.bodies.body import Body
from mbdgen.language.bodies.coordinates import Coordinates
from mbdgen.language.bodies.held_coordinates import kept
from mbdgen.language.bodies.mass_properties import (
    Inertia,
    MassProperties,
    as_inertia,
    as_mass,
    centroidal,
)
from mbdgen.language.bodies.natural_basis import named_mix, suited, with_basics
from mbdgen.language.bodies.orientation import Orientation, as_orientation, axis_angle
from mbdgen.language.bodies.pose import Motion
from mbdgen.language.bodies.surface import as_surface
from mbdgen.language.colours import as_colour
from mbdgen.language.expressions.scalars import (
    Scalar,
    Vec3,
    as_scalar,
    entries,
    is_number,
    shown,
    space,
    value_of,
    vector3,
)
from mbdgen.language.expressions.small_vectors import minus
from mbdgen.language.registry import body_kinds, made_of, unfinished_body_kinds
from mbdgen.usable import check_usable

if TYPE_CHECKING:
    from mbdgen.language.model import Model

_NOTHING = ((0.0, 0.0, 0.0), (0.0, 0.0, 0.0), (0.0, 0.0, 0.0))


def describe(
    model: "Model",
    name: str,
    mass: MassLike | None,
    inertia: InertiaLike | None,
    *,
    coordinates: str | type[Any] | None = None,
    position: VectorLike = (0.0, 0.0, 0.0),
    orientation: Any = None,
    angle: ScalarLike | None = None,
    velocity: VectorLike = (0.0, 0.0, 0.0),
    angular_velocity: ScalarLike | VectorLike = 0.0,
    angular_velocity_axes: Literal["global", "body"] | str = "global",
    centre_of_mass: VectorLike = (0.0, 0.0, 0.0),
    inertia_about: VectorLike | None = None,
    allow_unphysical_inertia: bool = False,
    length: ScalarLike | None = None,
    points: VectorsLike = (),
    vectors: VectorsLike = (),
    rigid_by: Literal["products", "distances"] | str = "products",
    fixed: str | Sequence[str] = (),
    fixed_velocity: str | Sequence[str] = (),
    color: str | None = None,
    radius: ScalarLike | None = None,
    young: ScalarLike | None = None,
    poisson: ScalarLike | None = None,
) -> Body:
    """Return a body.

    Parameters
    ----------
    mass : scalar or MassProperties
        Mass (zero for a massless body), or the result of a function of
        `mbdgen.language.bodies.homogeneous_shapes`.
    inertia : 3 scalars, 3 x 3 scalars, or a scalar in the plane
        Principal moments or full tensor in body axes, about the centre of mass unless
        `inertia_about` says otherwise. None means a point mass.
    coordinates : str or class
        Body kind by its name, or a class of your own (of a body kind or an orientation set);
        default is that of the model.
    position, velocity : 2 or 3 scalars
        Of the reference point, global axes.
    orientation : Orientation, quaternion or rotation matrix
        Of the body axes.
    angle : scalar, optional
        Instead of an orientation: rotation about z.
    angular_velocity : 3 scalars, or a scalar about z
        In global axes, or in body axes if `angular_velocity_axes` is "body".
    angular_velocity_axes : {"global", "body"}
        Axes of the angular velocity.
    centre_of_mass : 2 or 3 scalars
        From the reference point, in body axes.
    inertia_about : 2 or 3 scalars, optional
        Point that the inertia refers to, in body axes.
    allow_unphysical_inertia : bool
        Whether moments are accepted that no body can have.
    length : scalar
        Distance of the points of a natural body, where they are not given; 1 m by default.
        ``natural`` is two points in the plane with it, as with other data in the plane.
    points, vectors : lists of vectors
        Basic points and vectors of a natural body, from the reference point in body axes. The
        kind ``natural`` has as many as are given; missing vectors are added.
    rigid_by : {"products", "distances"}
        Whether several points of a natural body keep the inner products of their arms, or their
        mutual distances.
    fixed : names of coordinates, "position", "orientation", or "all"
        Initial positions that consistent initialisation (assembly) must not change; velocities are
        not affected.
    fixed_velocity : names of coordinates, "velocity", "angular_velocity", or "all"
        Initial velocities that consistent initialisation (assembly) must not change.
    color : str
        What it is drawn in: a name of `mbdgen.language.colours`, or ``#rrggbb``.
    radius, young, poisson : scalar
        Where it touches others: radius about the reference point, Young's modulus, Poisson's ratio
        (0.3 by default). Contacts take them from here.
    """
    vectors_given = [position, velocity, centre_of_mass, *(entries(points) or ())]
    described_in_plane = length is not None or _in_plane(inertia, vectors_given)
    kind = _kind(model, name, coordinates, described_in_plane, (points, vectors))
    known = model.parameter_defaults
    what = f"of body '{name}'"
    if isinstance(mass, MassProperties):
        inertia, mass = mass.inertia, mass.mass
    if mass is None and not kind.is_body:
        mass = 0.0  # a number of its own: most have none
    mass = _mass(mass, known, f"mass {what}")
    com = space(centre_of_mass, f"centre of mass {what}")
    tensor = _inertia(
        kind, inertia, mass, inertia_about, com, known, allow_unphysical_inertia, f"inertia {what}"
    )
    turn = _orientation(orientation, angle, known, f"orientation {what}")
    omega = _angular_velocity(angular_velocity, angular_velocity_axes, turn, what)
    motion = Motion(
        name=name,
        mass=mass,
        inertia=tensor.tensor,
        principal=tensor.principal,
        centre_of_mass=com,
        position=space(position, f"position {what}"),
        orientation=turn,
        angle=None if angle is None else as_scalar(angle, f"angle {what}"),
        velocity=space(velocity, f"velocity {what}"),
        angular_velocity=omega,
        length=_length(1.0 if length is None else length, known, f"length {what}"),
    )
    motion = with_basics(kind, motion, known, points, vectors, rigid_by)
    _check_plane(kind, motion, known)
    _check_point(kind, motion, known)
    constrained = (
        kept(kind, fixed, name, "fixed"),
        kept(kind, fixed_velocity, name, "fixed_velocity"),
    )
    surface = as_surface(model, radius, young, poisson, what)
    return Body(model, kind, motion, *constrained, surface, as_colour(color, what))


def _in_plane(inertia: Any, vectors: Sequence[Any]) -> bool:
    """Whether a description says that it is one in the plane: a vector of two, a single moment."""
    moment = inertia is not None and not isinstance(inertia, Inertia) and entries(inertia) is None
    return moment or any(len(entries(x) or ()) == 2 for x in vectors)


def _kind(
    model: "Model",
    name: str,
    coordinates: str | type[Any] | None,
    in_plane: bool,
    basics: tuple[Any, Any],
) -> Coordinates:
    kind = known_kind(coordinates or model.coordinates, f"Body '{name}'")
    if isinstance(coordinates, type):
        return kind()
    if kind.in_space and not in_plane:
        kind = known_kind(kind.in_space, f"Body '{name}'")
    return suited(kind, *basics)()


def known_kind(wanted: Any, what: str, others: tuple[str, ...] = ()) -> type[Coordinates]:
    """Return the body kind of a name or class; ``others`` may be said too, says the message."""
    if isinstance(wanted, type):
        kind = made_of(wanted, what)
        check_usable(kind)
        return kind
    kinds = body_kinds()
    if isinstance(wanted, str) and wanted not in kinds and (mix := named_mix(wanted, what)):
        return mix
    if not isinstance(wanted, str) or wanted not in kinds:
        known = (*kinds, *others)
        remedy = meant(wanted, known, ""), f"Use one of: {', '.join(known)}."
        raise ModelError(
            f"{what} asks for coordinates {shown(wanted)}, which do not exist.",
            " ".join(part for part in (*remedy, unfinished_body_kinds()) if part),
        )
    return kinds[wanted]


def _mass(mass: Any, known: dict[Any, float], what: str) -> Scalar:
    if mass is not None and is_number(mass) and mass == 0:
        return 0.0  # massless bodies are legal as long as joints carry them
    return as_mass(mass, defaults=known, what=what)


def _inertia(
    kind: Coordinates,
    inertia: Any,
    mass: Scalar,
    about: Any,
    com: Vec3,
    known: dict[Any, float],
    allow: bool,
    what: str,
) -> Inertia:
    if not isinstance(allow, bool):
        raise ModelError(
            f"allow_unphysical_inertia for the {what} is {shown(allow)}.", "Use True or False."
        )
    if inertia is None:
        return Inertia(_NOTHING)
    point = None if about is None else space(about, f"reference point of the {what}")
    if is_number(mass) and mass == 0:
        point = None  # without mass the tensor is the same about every point
    if kind.planar and not isinstance(inertia, Inertia) and entries(inertia) is None:
        # Only the moment about z enters; a flat body with that moment satisfies every check.
        moment = as_scalar(inertia, what)
        if point is not None:
            moment = centroidal(moment, mass, minus(point, com))
        inertia, point = (moment / 2, moment / 2, moment), None
    return as_inertia(
        inertia,
        mass=mass,
        about=point,
        centre=com,
        defaults=known,
        allow_unphysical=allow,
        what=what,
    )


def _orientation(given: Any, angle: Any, known: dict[Any, float], what: str) -> Orientation:
    if angle is None:
        turn = as_orientation(given, defaults=known, what=what)
    elif given is None:
        turn = axis_angle((0.0, 0.0, 1.0), angle, what=what)
    else:
        raise ModelError(f"The {what} is given twice.", "Give either `orientation` or `angle`.")
    turn.values(known, what)
    return turn


def _angular_velocity(x: Any, axes: str, turn: Orientation, what: str) -> Vec3:
    if axes not in ("global", "body"):
        raise ModelError(f"angular_velocity_axes={axes!r} {what}.", "Use 'global' or 'body'.")
    what = f"angular velocity {what}"
    omega = vector3(x, what) if entries(x) is not None else (0.0, 0.0, as_scalar(x, what))
    return turn.apply(omega) if axes == "body" else omega


def _check_plane(kind: Coordinates, motion: Motion, known: dict[Any, float]) -> None:
    if not kind.planar:
        return
    out = [motion.position[2], motion.velocity[2], *motion.angular_velocity[:2]]
    out += [motion.centre_of_mass[2], *motion.orientation.q[1:3]]
    if any(abs(value_of(c, known)) > 1e-12 for c in out):
        raise ModelError(
            f"Body '{motion.name}' is planar but is placed or moves out of the plane z = 0.",
            "Give it in-plane data, or use coordinates='quaternion'.",
        )


def _check_point(kind: Coordinates, motion: Motion, known: dict[Any, float]) -> None:
    """Reject data that a body without orientation would silently ignore."""
    if kind.turns:
        return
    given = {
        "inertia": [x for row in motion.inertia for x in row],
        "centre of mass": motion.centre_of_mass,
        "orientation": motion.orientation.q[1:],
        "angular velocity": motion.angular_velocity,
    }
    for what, values in given.items():
        if any(value_of(x, known, f"{what} of body '{motion.name}'") != 0 for x in values):
            raise ModelError(
                f"Body '{motion.name}' is a point mass, but its {what} is not zero.",
                "Remove it, or use coordinates='quaternion'.",
            )


def _length(x: Any, known: dict[Any, float], what: str) -> Scalar:
    length = as_scalar(x, what)
    if value_of(length, known, what) <= 0:
        raise ModelError(f"{what} is {value_of(length, known):g}.", "Give a positive number.")
    return length
