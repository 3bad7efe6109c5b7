"""Many-body contact of spheres, with each other and with planes (contact detection).

The contact law is an element of two frames, defined once. Runs detect neighbouring pairs; a model
contains the members, and the parameters of the law for each pair of kinds of members.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from mbdgen.errors import ModelError
from mbdgen.interval import POSITIVE
from mbdgen.language.attach import attach
from mbdgen.language.bodies.body import Body
from mbdgen.language.element import Element
from mbdgen.language.expressions.bounds import Bound, check_bounds
from mbdgen.language.expressions.scalars import Scalar, as_scalar, entries, shown, value_of
from mbdgen.language.markers.marker import Marker

if TYPE_CHECKING:
    from mbdgen.language.attached import Attached
    from mbdgen.language.model import Model

MOST_SPECIES = 32
"""Largest number of kinds of members: parameters of a law are stored for every pair of kinds."""
SKIN = 0.2
"""Of the largest radius: how far apart two members may be that are kept as a pair."""
Kinds = tuple[int, int]


@dataclass(frozen=True)
class Near:
    """One table of pairs: members with each other, or members with one plane.

    Attributes
    ----------
    plane : Marker or None
        None: members with each other.
    laws : tuple of ((kind, kind), Attached)
        The law between the first two members of these kinds, in the order of members; with a plane
        the second number is 0.
    """

    plane: Marker | None
    laws: tuple[tuple[Kinds, "Attached"], ...]


@dataclass(frozen=True)
class Crowd:
    """Spheres that may touch.

    Attributes
    ----------
    name : str
        Name in the model.
    members : tuple of Body
        The spheres; centres are their reference points.
    species : tuple of int
        The kind of each: members of one kind have the same parameters.
    radii : tuple of scalar
        Of each kind.
    skin : scalar
        Gap up to which two of them are kept as a pair.
    tables : tuple of Near
        One for pairs of members, or one for each plane.
    """

    name: str
    members: tuple[Body, ...]
    species: tuple[int, ...]
    radii: tuple[Scalar, ...]
    skin: Scalar
    tables: tuple[Near, ...]

    def __str__(self) -> str:
        """Everything from which a module is generated, except the parameters of the laws."""
        names = [b.name for b in self.members]
        planes = [(t.plane.global_point, t.plane.global_axes[2]) for t in self.tables if t.plane]
        kinds = [[pair for pair, _ in t.laws] for t in self.tables]
        return f"{self.name}:{names}:{self.species}:{self.radii}:{self.skin}:{planes}:{kinds}"


def crowd(
    model: "Model",
    name: str,
    bodies: Iterable[Any],
    planes: Any,
    element: type[Element],
    skin: Any,
    given: dict[str, Any],
) -> Crowd:
    """Return the spheres with the laws between them; see `mbdgen.language.model.Model.contacts`."""
    _check_shared(name, element, given)
    members = _members(model, name, bodies)
    species, firsts = _kinds(name, members)
    radii = tuple(_radius(name, members[k]) for k in firsts)
    known = model.parameter_defaults
    largest = max(value_of(r, known, f"radius in contacts '{name}'") for r in radii)
    gap = SKIN * largest if skin is None else as_scalar(skin, f"skin of contacts '{name}'")
    check_bounds(model, Bound(gap, f"skin of contacts '{name}'", POSITIVE))

    def law(first: Body, second: Any) -> "Attached":
        return attach(model, name, element, (first.origin, second), {**given, "events": False})

    if planes is None:
        pairs = _pairs_of_kinds(species)
        laws = tuple((k, law(members[i], members[j].origin)) for k, (i, j) in pairs.items())
        tables: tuple[Near, ...] = (Near(None, laws),)
    else:
        tables = tuple(
            Near(p, tuple(((s, 0), law(members[k], p)) for s, k in enumerate(firsts)))
            for p in _planes(model, name, planes)
        )
        for table in tables:
            assert table.plane is not None
            _check_in_front(model, name, members, table.plane)
    return Crowd(name, members, species, radii, gap, tables)


def _check_shared(name: str, element: type[Element], given: dict[str, Any]) -> None:
    """Reject a law with states of its own, which belong to single pairs."""
    if element(**given).owned():
        raise ModelError(
            f"contacts '{name}' have the friction {given.get('friction')!r}, whose states belong "
            "to single pairs.",
            "Take a law without bristles, such as 'coulomb', or single contacts.",
        )


def _members(model: "Model", name: str, bodies: Iterable[Any]) -> tuple[Body, ...]:
    """Return the bodies, if they are spheres of this model, each once."""
    if not isinstance(bodies, Iterable) or isinstance(bodies, str):
        raise ModelError(f"contacts '{name}' got {shown(bodies)}.", "Give a list of bodies.")
    members = tuple(bodies)
    for b in members:
        if not isinstance(b, Body) or b.model is not model or b.is_ground:
            raise ModelError(
                f"contacts '{name}' has the member {shown(b)}, which is no moving body of this "
                "model.",
                "Give bodies that model.body(..., radius=...) or model.point_mass has returned.",
            )
    names = [b.name for b in members]
    if twice := [n for n, count in Counter(names).items() if count > 1]:
        raise ModelError(f"contacts '{name}' has '{twice[0]}' twice.", "Name every body once.")
    if len(members) < 2:
        raise ModelError(
            f"contacts '{name}' has {len(members)} members.", "Give two or more bodies."
        )
    return members


def _kinds(name: str, members: Sequence[Body]) -> tuple[tuple[int, ...], list[int]]:
    """Return the kind of each member, and the first member of each kind."""
    found: dict[Any, int] = {}
    firsts, species = [], []
    for k, body in enumerate(members):
        m = body.motion
        key = (m.mass, m.inertia, m.principal, body.surface)
        if key not in found:
            found[key] = len(found)
            firsts.append(k)
        species.append(found[key])
        if any(c != 0 for c in m.centre_of_mass):
            raise ModelError(
                f"Body '{body.name}' of contacts '{name}' has its centre of mass away from its "
                "centre.",
                "Leave centre_of_mass away, or give it contacts of its own.",
            )
    if len(firsts) > MOST_SPECIES:
        raise ModelError(
            f"contacts '{name}' has {len(firsts)} kinds of members, which differ in mass, inertia, "
            "radius or material.",
            f"Give at most {MOST_SPECIES} different kinds.",
        )
    return tuple(species), firsts


def _radius(name: str, body: Body) -> Scalar:
    if body.surface.radius is None:
        raise ModelError(
            f"The radius of body '{body.name}' of contacts '{name}' is not known.",
            "Give the body a radius=.",
        )
    return body.surface.radius


def _pairs_of_kinds(species: Sequence[int]) -> dict[Kinds, tuple[int, int]]:
    """Return the first two members, in their order, of all pairs of kinds that there are."""
    found: dict[Kinds, tuple[int, int]] = {}
    first: dict[int, int] = {}
    for j, t in enumerate(species):
        for s, i in first.items():
            found.setdefault((s, t), (i, j))
        first.setdefault(t, j)
    return found


def _planes(model: "Model", name: str, planes: Any) -> tuple[Marker, ...]:
    """Return markers on the ground whose axis e3 is the normal."""
    markers = [planes] if isinstance(planes, Marker) else entries(planes)
    found = []
    for p in markers or [None]:
        if isinstance(p, Marker) and p.body is model.ground:
            found.append(p)
        else:
            raise ModelError(
                f"contacts '{name}' has the plane {shown(p)}.",
                "Give markers of the ground: model.ground.at(x, y, z, axis=(0, 0, 1)), with the "
                "normal to the side of the bodies.",
            )
    return tuple(found)


def _check_in_front(model: "Model", name: str, members: Sequence[Body], plane: Marker) -> None:
    """Reject members initially behind a plane, which would eject them."""
    normal, point = plane.global_axes[2], plane.global_point
    side = "Let the normal of the plane point to the side where the bodies are."
    for body in members:
        gaps = zip(normal, body.motion.position, point, strict=True)
        height: Scalar = sum(n * (x - y) for n, x, y in gaps)
        above = f"the height of '{body.name}' above a plane of contacts '{name}'"
        check_bounds(model, Bound(height, above, POSITIVE, side))


__all__ = ["Crowd", "Near", "crowd"]
