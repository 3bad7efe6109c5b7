r"""Kinematics of a branch: motion of the child from that of its parent and joint coordinates.

.. math::
    p_c = p_p \otimes \mu_p \otimes m(s) \otimes \bar\mu_c, \qquad
    x_c = x_p + R_p s_p + d(s) - R_c s_c

with the axes :math:`\mu` and points :math:`s` of the joint in both bodies and the moves :math:`m,
d` of the joint. Every move has a screw, the line along or about which it displaces the child and
all bodies that it carries: the virtual work of their wrench on it is the row of the move.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import atan2

from mbdgen.language.bodies.body import Body
from mbdgen.language.bodies.orientation import Orientation
from mbdgen.language.expressions.scalars import Scalar
from mbdgen.language.markers.joint_moves import Ball, Bend, Slide
from mbdgen.symbolic.ir.graph import Graph, GraphBuilder
from mbdgen.symbolic.ir.graph_gradient import gradients
from mbdgen.symbolic.ir.quaternion_nodes import axes, conjugate, constant, product
from mbdgen.symbolic.ir.vector_nodes import (
    Nodes,
    Placement,
    combined,
    coordinates_of,
    cross,
    minus,
    placed_at,
    placement,
    plus,
    times,
)
from mbdgen.topology.tree import Branch

NUMBERS = tuple(
    f"{what}_{end}{k}" for end in "ab" for what, n in (("s", 3), ("m", 4)) for k in range(n)
)
"""Names of the parameters of a branch: point and axes of the joint in both bodies."""
TURN_OVER = "offset"
"""In the plane also the angle between the bodies at zero joint angle."""
E = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))


@dataclass(frozen=True)
class BranchScrew:
    """Screw of a virtual displacement of the child by a branch.

    Attributes
    ----------
    rotates : bool
        Whether it is a rotation about the line, or a displacement along it.
    direction, point : three nodes
        The line, in global components.
    """

    rotates: bool
    direction: Nodes
    point: Nodes


@dataclass(frozen=True)
class Geometry:
    """Kinematics of a branch as a graph.

    Attributes
    ----------
    graph : Graph
        Inputs are `NUMBERS`, ``p0 ...`` of the parent, ``s0 ...`` of the branch, and their rates
        with ``_dot`` and ``_ddot``.
    q, v, a : nodes
        Coordinates of the child and their rates.
    origin : three nodes
        Origin of the child.
    screws : list of six nodes
        For each row of the branch the virtual displacement of the child's origin and its rotation.
    wrench : six nodes
        Force and moment about the origin of the rows ``r0 ...`` of the child at ``x0 ...``.
    """

    graph: Graph
    q: Nodes
    v: Nodes
    a: Nodes
    origin: Nodes
    screws: list[Nodes]
    wrench: Nodes

    def along(self, nodes: Sequence[int]) -> tuple[Graph, Nodes]:
        """Return directional derivatives of nodes, along inputs with the prefix ``d``."""
        b = GraphBuilder()
        inputs = {name: b.input(name) for name in self.graph.inputs}
        copied = b.inline(self.graph, nodes, inputs)
        seeds = {node: {0: b.input(f"d{name}")} for name, node in inputs.items() if _moves(name)}
        zero = b.const(0.0)
        found = [g.get(0, zero) for g in gradients(b, copied, seeds)]
        return b.finish(), found


def _moves(name: str) -> bool:
    """Return whether an input is part of the state."""
    return name[0] in "pxr" or (name[0] == "s" and name[1] != "_")


def geometry(branch: Branch) -> Geometry:
    """Return the kinematics of a branch as a graph."""
    b = GraphBuilder()
    parent, child = branch.parent.body, branch.child.body
    assert child is not None and child.kind is not None
    n_p = 0 if parent is None or parent.kind is None else parent.kind.n_q
    n_s = sum(len(move.coordinates) for move in branch.moves)
    names = [*(f"p{k}" for k in range(n_p)), *(f"s{k}" for k in range(n_s))]
    q, v, a = ([b.input(name + end) for name in names] for end in ("", "_dot", "_ddot"))
    flat = child.kind.planar
    known = placement(b, parent, q[:n_p], flat)
    place, screws = (_in_plane if flat else _in_space)(b, branch, known, q[n_p:])
    seeds = {x: {0: rate} for x, rate in zip([*q, *v], [*v, *a], strict=True)}

    def rates(nodes: Nodes) -> Nodes:
        return [g.get(0, b.const(0.0)) for g in gradients(b, nodes, seeds)]

    of_q = coordinates_of(child, place)
    of_v = rates(of_q)
    columns = [_column(b, screw, place.origin, branch.backward) for screw in screws]
    wrench = _wrench(b, child)
    of_a = rates(of_v)
    return Geometry(b.finish(), of_q, of_v, of_a, place.origin, columns, wrench)


def _column(b: GraphBuilder, screw: BranchScrew, origin: Nodes, backward: bool) -> Nodes:
    """Return the virtual displacement of the child's origin and its rotation, for a unit move."""
    zero = b.const(0.0)
    column = [*screw.direction, zero, zero, zero]
    if screw.rotates:
        shift = cross(b, screw.direction, minus(b, origin, screw.point))
        column = [*shift, *screw.direction]
    return [b.neg(x) for x in column] if backward else column


def _wrench(b: GraphBuilder, body: Body) -> Nodes:
    """Return force and moment (global components, about the origin) of the rows of a body."""
    kind = body.kind
    assert kind is not None
    zero = b.const(0.0)
    rows = [b.input(f"r{k}") for k in range(kind.n_q)]
    force = [*(rows[k] for k in kind.position), zero][:3]
    if kind.quaternion is None:
        assert kind.angle is not None
        return [*force, zero, zero, rows[kind.angle]]
    place = placement(b, body, [b.input(f"x{k}") for k in range(kind.n_q)], False)
    first = kind.quaternion.moments
    return [*force, *combined(b, place.columns, rows[first : first + 3])]


def _in_space(
    b: GraphBuilder, branch: Branch, known: Placement, s: Sequence[int]
) -> tuple[Placement, list[BranchScrew]]:
    point_a, axes_a, point_b, axes_b = _numbers(b)
    if not branch.backward:
        start = product(b, known.turn, axes_a)
        r = plus(b, known.origin, combined(b, known.columns, point_a))
        r, turn, screws = _walk(b, branch, r, start, s)
        end = product(b, turn, conjugate(b, axes_b))
        return _hung(b, r, end, point_b), screws
    zero = b.const(0.0)
    d, turn, _ = _walk(b, branch, [zero] * 3, constant(b, (1.0, 0.0, 0.0, 0.0)), s)
    start = product(b, product(b, known.turn, axes_b), conjugate(b, turn))
    r = plus(b, known.origin, combined(b, known.columns, point_b))
    r = minus(b, r, combined(b, axes(b, start), d))
    _, _, screws = _walk(b, branch, r, start, s)
    return _hung(b, r, product(b, start, conjugate(b, axes_a)), point_a), screws


def _hung(b: GraphBuilder, r: Nodes, turn: Nodes, point: Nodes) -> Placement:
    """Return the placement of a body with a given point at ``r``."""
    place = placed_at(b, r, turn)
    arm = combined(b, place.columns, point)
    return Placement(minus(b, r, arm), place.columns, turn)


def _walk(
    b: GraphBuilder, branch: Branch, r: Nodes, turn: Nodes, s: Sequence[int]
) -> tuple[Nodes, Nodes, list[BranchScrew]]:
    """Apply the moves one after the other to a frame at ``r``."""
    screws: list[BranchScrew] = []
    first = 0
    half = b.const(0.5)
    for move in branch.moves:
        own = s[first : first + len(move.coordinates)]
        first += len(own)
        if isinstance(move, Bend):
            turn = product(b, turn, constant(b, [float(x) for x in move.quaternion]))
        elif isinstance(move, Ball):
            turn = product(b, turn, own)
            screws += [BranchScrew(True, column, r) for column in axes(b, turn)]
        elif isinstance(move, Slide):
            direction = axes(b, turn)[move.axis - 1]
            r = plus(b, r, times(b, direction, own[0]))
            screws.append(BranchScrew(False, direction, r))
        else:
            screws.append(BranchScrew(True, axes(b, turn)[2], r))
            angle, zero = b.mul(half, own[0]), b.const(0.0)
            turn = product(b, turn, [b.call("cos", angle), zero, zero, b.call("sin", angle)])
    return r, turn, screws


def _in_plane(
    b: GraphBuilder, branch: Branch, known: Placement, s: Sequence[int]
) -> tuple[Placement, list[BranchScrew]]:
    """Apply planar moves, with one unwrapped angle."""
    point_a, axes_a, point_b, _ = _numbers(b)
    local = axes(b, axes_a)
    names = [name for move in branch.moves for name in move.coordinates]
    turning = [k for k, move in enumerate(branch.moves) if move.rotates]
    assert len(names) == len(branch.moves), "each move in the plane has one coordinate"
    between = b.input(TURN_OVER)
    for k in turning:
        between = b.add(between, b.mul(local[2][2], s[k]))
    if branch.backward:
        between = b.neg(between)
    end = placed_at(b, known.origin, [b.add(known.turn[0], between)])
    of_a = end.columns if branch.backward else known.columns
    shift = [b.const(0.0)] * 3
    lines: list[tuple[bool, Nodes]] = []
    for k, move in enumerate(branch.moves):
        if isinstance(move, Slide):
            direction = combined(b, of_a, local[move.axis - 1])
            shift = plus(b, shift, times(b, direction, s[k]))
            lines.append((False, direction))
        else:
            lines.append((True, combined(b, of_a, local[2])))
    here, there = (point_b, point_a) if branch.backward else (point_a, point_b)
    r = plus(b, known.origin, combined(b, known.columns, here))
    joint = minus(b, r, shift) if branch.backward else plus(b, r, shift)
    place = _hung(b, joint, [*end.turn], there)
    at = r if branch.backward else joint
    return place, [BranchScrew(rotates, line, at) for rotates, line in lines]


def _numbers(b: GraphBuilder) -> tuple[Nodes, Nodes, Nodes, Nodes]:
    nodes = [b.input(name) for name in NUMBERS]
    return nodes[:3], nodes[3:7], nodes[7:10], nodes[10:]


def numbers_of(branch: Branch) -> dict[str, Scalar]:
    """Return the parameters of a branch by the names of its inputs."""
    a, b = branch.a, branch.b
    values = (*a.point, *a.axes, *b.point, *b.axes)
    found: dict[str, Scalar] = dict(zip(NUMBERS, values, strict=True))
    child = branch.child.body
    if child is not None and child.kind is not None and child.kind.planar:
        found[TURN_OVER] = _offset(branch)
    return found


def _offset(branch: Branch) -> float:
    """Return the angle of b's body relative to a's when the axes of both ends coincide."""
    of_a, of_b = (Orientation(end.axes) for end in (branch.a, branch.b))
    q0, _, _, q3 = (of_a @ of_b.inverse()).values(None)
    return 2.0 * atan2(q3, q0)
