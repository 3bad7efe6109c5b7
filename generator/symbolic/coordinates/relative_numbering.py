"""Relative (joint) coordinates of a mechanism: spanning tree and numbering.

The state is, body by body in the order of the model, the coordinates of the branch of the body, or
the body's absolute coordinates without one; then the Lagrange multipliers of the cut joints.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import count

from mbdgen.language.bodies.body import Body
from mbdgen.language.markers.joint_moves import Ball, coordinates, freedoms
from mbdgen.language.model import Model
from mbdgen.symbolic.coordinates.branches import Geometry, geometry
from mbdgen.symbolic.ir.system_ir import Roles
from mbdgen.symbolic.lower.numbering import Numbering
from mbdgen.topology.tree import Branch, Tree, free_joint


@dataclass(frozen=True)
class Joined:
    """Branch with its indices.

    Attributes
    ----------
    branch : Branch
        The branch.
    geometry : Geometry
        Graph of its kinematics.
    first : int
        Its first coordinate, and its first row.
    """

    branch: Branch
    geometry: Geometry
    first: int

    @property
    def n_q(self) -> int:
        """Number of coordinates."""
        return len(coordinates(self.branch.moves))

    @property
    def n_u(self) -> int:
        """Number of dynamics rows; norm rows follow them."""
        return freedoms(self.branch.moves)

    @property
    def ball(self) -> int | None:
        """Index of the unit quaternion among its coordinates, if any."""
        first = 0
        for move in self.branch.moves:
            if isinstance(move, Ball):
                return first
            first += len(move.coordinates)
        return None

    @property
    def names(self) -> list[str]:
        """Names of the coordinates."""
        return [f"{self.branch.joint}.{c}" for c in coordinates(self.branch.moves)]

    @property
    def rows(self) -> list[str]:
        """Names of the rows."""
        found = [
            f"{self.branch.joint}: {what}"
            for move in self.branch.moves
            for what in (
                ("moment 1", "moment 2", "moment 3")
                if isinstance(move, Ball)
                else [f"along {name}" for name in move.coordinates]
            )
        ]
        return found + [f"{self.branch.joint}: norm"] * (self.n_q - self.n_u)


@dataclass(frozen=True)
class Relation:
    """A mechanism in relative coordinates.

    Attributes
    ----------
    tree : Tree
        Spanning tree of joints.
    joined : tuple of Joined
        Branches, parents before children.
    free : mapping of body to (Body, first coordinate)
        Bodies with absolute coordinates.
    n_q : int
        Number of coordinates.
    multipliers : tuple of int
        Multipliers of the mechanism that remain.
    """

    tree: Tree
    joined: tuple[Joined, ...]
    free: Mapping[str, tuple[Body, int]]
    n_q: int
    multipliers: tuple[int, ...]

    @property
    def norms(self) -> list[tuple[int, int]]:
        """First coordinate of every unit quaternion of a branch, and the row of its norm."""
        return [(j.first + j.ball, j.first + j.n_u) for j in self.joined if j.ball is not None]

    def without_free(self) -> "Relation":
        """Return the same relation with a branch for every free body: see `free_joint`."""
        joints = ((free_joint(body), first) for body, first in self.free.values())
        made = [(branch, first) for branch, first in joints if branch is not None]
        of_shape = {branch.shape: branch for branch, _ in reversed(made)}
        shapes = {shape: geometry(branch) for shape, branch in of_shape.items()}
        first = (Joined(branch, shapes[branch.shape], place) for branch, place in made)
        return replace(self, joined=(*first, *self.joined), free={})

    def in_order(self, model: Model) -> Iterator[tuple[Body, Joined | None]]:
        """Yield every body with the branch that gives it."""
        given = {j.branch.child.name: j for j in self.joined}
        for body in model.bodies.values():
            yield body, given.get(body.name)


def relate(model: Model, tree: Tree, numbering: Numbering, sizes: Mapping[str, int]) -> Relation:
    """Return the relative coordinates of a mechanism.

    Parameters
    ----------
    sizes : mapping of element to int
        Number of multipliers of every element that has some.
    """
    branch_of = {branch.child.name: branch for branch in tree.branches}
    first: dict[str, int] = {}
    free: dict[str, tuple[Body, int]] = {}
    total = 0
    for body in model.bodies.values():
        first[body.name] = total
        if body.name in branch_of:
            total += len(coordinates(branch_of[body.name].moves))
        else:
            assert body.kind is not None
            free[body.name] = body, total
            total += body.kind.n_q
    of_shape = {x.shape: x for x in reversed(tree.branches)}
    shapes = {shape: geometry(x) for shape, x in of_shape.items()}
    joined = tuple(Joined(x, shapes[x.shape], first[x.child.name]) for x in tree.branches)
    gone = {
        k
        for branch in tree.branches
        if branch.joint in numbering.multiplier
        for k in range(sizes[branch.joint])
        for k in [numbering.multiplier[branch.joint] + k]
    }
    kept = tuple(k for k in range(numbering.n_lam) if k not in gone)
    return Relation(tree, joined, free, total, kept)


def names_in(
    relation: Relation, model: Model, names: Mapping[str, tuple[str, ...]]
) -> dict[str, tuple[str, ...]]:
    """Return the names of all indexed quantities, from those in absolute coordinates."""
    coordinates: list[str] = []
    rows: list[str] = []
    owners: list[str] = []
    for body, joined in relation.in_order(model):
        assert body.kind is not None
        if joined is not None:
            coordinates += joined.names
            rows += joined.rows
            owners += [body.name] * joined.n_q
        else:
            coordinates += [f"{body.name}.{c}" for c in body.kind.coordinates]
            rows += [f"{body.name}: {row}" for row in body.kind.all_rows]
            owners += [body.name] * body.kind.n_q
    n_full = len(names["coordinates"])
    for k in relation.multipliers:
        rows.append(names["rows"][n_full + k])
        owners.append(names["row_owners"][n_full + k])
    bodies = [x + end for end in ("", ".dot", ".ddot") for x in names["coordinates"]]
    return {
        "coordinates": tuple(coordinates),
        "multipliers": tuple(names["multipliers"][k] for k in relation.multipliers),
        "rows": tuple(rows),
        "row_owners": tuple(owners),
        "outputs": names["outputs"],
        "units": names["units"],
        "bodies": tuple(bodies),
        "moving": names["moving"],
    }


def roles_in(relation: Relation, roles: Roles, numbering: Numbering) -> Roles:
    """Return the roles of rows and coordinates, from those in absolute coordinates."""
    units = [(first, 4) for first, _ in relation.norms]
    norms = [row for _, row in relation.norms]
    for body, first in relation.free.values():
        assert body.kind is not None
        units += [(first + at, size) for at, size in body.kind.unit_blocks]
        norms += range(first + body.kind.n_u, first + body.kind.n_q)
    n_lam = len(relation.multipliers)
    place = {k: j for j, k in enumerate(relation.multipliers)}
    paths = {numbering.body[body.name]: first for body, first in relation.free.values()}
    return replace(
        roles,
        constraint_rows=(*sorted(norms), *range(relation.n_q, relation.n_q + n_lam)),
        unit_blocks=tuple(sorted(units)),
        fixed=_chosen(relation, lambda body: body.fixed),
        fixed_velocity=_chosen(relation, lambda body: body.fixed_velocity),
        driven=tuple(place[k] for k in roles.driven if k in place),
        ranges=tuple((paths[at], low, high) for at, low, high in roles.ranges),
    )


def _chosen(relation: Relation, names: Callable[[Body], frozenset[str]]) -> tuple[int, ...]:
    """Return the coordinates that the user named, for bodies with absolute coordinates."""
    found: list[int] = []
    for body, first in relation.free.values():
        assert body.kind is not None
        places = zip(body.kind.coordinates, count(first), strict=False)
        found += [k for c, k in places if c in names(body)]
    return tuple(sorted(found))
