"""Vectors of graph nodes: sums, products, and rotation by a quaternion or a planar angle."""

from collections.abc import Sequence
from dataclasses import dataclass

from mbdgen.language.bodies.body import Body
from mbdgen.symbolic.ir.graph import GraphBuilder
from mbdgen.symbolic.ir.quaternion_nodes import axes

Nodes = list[int]


def plus(b: GraphBuilder, x: Sequence[int], y: Sequence[int]) -> Nodes:
    """Return ``x + y``."""
    return [b.add(i, j) for i, j in zip(x, y, strict=True)]


def minus(b: GraphBuilder, x: Sequence[int], y: Sequence[int]) -> Nodes:
    """Return ``x - y``."""
    return [b.sub(i, j) for i, j in zip(x, y, strict=True)]


def times(b: GraphBuilder, x: Sequence[int], factor: int) -> Nodes:
    """Return a multiple."""
    return [b.mul(i, factor) for i in x]


def dot(b: GraphBuilder, x: Sequence[int], y: Sequence[int]) -> int:
    """Return the scalar product."""
    return b.total([b.mul(i, j) for i, j in zip(x, y, strict=True)])


def cross(b: GraphBuilder, x: Sequence[int], y: Sequence[int]) -> Nodes:
    """Return the vector product."""
    pairs = ((1, 2), (2, 0), (0, 1))
    return [b.sub(b.mul(x[i], y[j]), b.mul(x[j], y[i])) for i, j in pairs]


def combined(b: GraphBuilder, columns: Sequence[Sequence[int]], v: Sequence[int]) -> Nodes:
    """Return a linear combination of columns: from components in rotated axes to global ones."""
    x, y, z = (times(b, column, factor) for column, factor in zip(columns, v, strict=True))
    return plus(b, plus(b, x, y), z)


@dataclass(frozen=True)
class Placement:
    """Position and orientation of a body.

    Attributes
    ----------
    origin : three nodes
        Position of its reference point.
    columns : three times three nodes
        Its axes in global components.
    turn : nodes
        A unit quaternion, or one angle about z.
    """

    origin: Nodes
    columns: list[Nodes]
    turn: Nodes


def placement(b: GraphBuilder, body: Body | None, q: Sequence[int], flat: bool) -> Placement:
    """Return the placement of a body by its coordinates.

    Parameters
    ----------
    flat : bool
        Whether the orientation is the angle about z, or the quaternion.
    """
    zero, one = b.const(0.0), b.const(1.0)
    if body is None or body.kind is None:
        turn = [zero] if flat else [one, zero, zero, zero]
        return placed_at(b, [zero, zero, zero], turn)
    kind = body.kind
    origin = [*(q[k] for k in kind.position), zero][:3]
    if kind.quaternion is not None:
        first = kind.quaternion.coordinates
        return placed_at(b, origin, q[first : first + 4])
    assert kind.angle is not None
    if flat:
        return placed_at(b, origin, [q[kind.angle]])
    half = b.mul(b.const(0.5), q[kind.angle])
    return placed_at(b, origin, [b.call("cos", half), zero, zero, b.call("sin", half)])


def placed_at(b: GraphBuilder, origin: Sequence[int], turn: Sequence[int]) -> Placement:
    """Return the placement of an origin and an orientation."""
    if len(turn) == 4:
        return Placement(list(origin), axes(b, turn), list(turn))
    zero, one = b.const(0.0), b.const(1.0)
    c, s = b.call("cos", turn[0]), b.call("sin", turn[0])
    return Placement(list(origin), [[c, s, zero], [b.neg(s), c, zero], [zero, zero, one]], [*turn])


def coordinates_of(body: Body, place: Placement) -> Nodes:
    """Return the coordinates of a body at a placement."""
    kind = body.kind
    assert kind is not None
    found = [0] * kind.n_q
    for k, node in zip(kind.position, place.origin, strict=False):
        found[k] = node
    first = kind.quaternion.coordinates if kind.quaternion is not None else kind.angle
    assert first is not None
    for k, node in enumerate(place.turn):
        found[first + k] = node
    return found
