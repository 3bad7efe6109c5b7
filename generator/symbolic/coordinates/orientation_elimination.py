r"""Elimination of orientations given by a joint: quaternions replaced by the joint angle.

The rows that a joint rotation satisfies and the directions of their reactions are determined at
random states, not assumed: a joint whose statement disagrees with its `rotation` is not eliminated.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from mbdgen.runtime.system.system_data import FloatArray
from mbdgen.symbolic.ir.graph import GraphBuilder
from mbdgen.symbolic.ir.graph_evaluation import evaluate
from mbdgen.symbolic.ir.graph_gradient import gradients
from mbdgen.symbolic.ir.quaternion_nodes import conjugate, constant, product
from mbdgen.symbolic.lower.flatten import WholeMechanism
from mbdgen.topology.joint_turns import JointTurn, TurningBody

SAMPLES = 3
SAME = 1e-11
LARGEST_CONDITION = 1e3


@dataclass(frozen=True)
class Turned:
    """Orientation of a body eliminated in favour of an angle, or of none.

    Attributes
    ----------
    turn : JointTurn
        Rotation of the joint.
    quaternion, parent : tuple of int
        Coordinates of the child and of the parent (none for the ground).
    norm : int
        Row of the norm equation of the child.
    rows : tuple of int
        Constraint rows that are satisfied identically.
    balances : tuple of int
        Nodes of the combinations of moment rows that determine their multipliers.
    inverse : array
        Inverse of the derivatives of the balances with respect to the multipliers.
    remaining : int or None
        Node of the moment about the axis.
    """

    turn: JointTurn
    quaternion: tuple[int, ...]
    parent: tuple[int, ...]
    norm: int
    rows: tuple[int, ...]
    balances: tuple[int, ...]
    inverse: Any
    remaining: int | None


def coordinates(body: TurningBody | None, first: Mapping[str, int]) -> tuple[int, ...]:
    """Return the indices of a quaternion by the first coordinates of bodies; none for ground."""
    if body is None:
        return ()
    start = first[body.name] + body.quaternion.coordinates
    return tuple(range(start, start + 4))


def child_quaternion(
    b: GraphBuilder, turn: JointTurn, parent: Sequence[int], angle: int | None
) -> list[int]:
    """Return the nodes of the quaternion of the child."""
    q = product(b, parent, constant(b, turn.before)) if parent else constant(b, turn.before)
    if angle is not None:
        half, zero = b.mul(b.const(0.5), angle), b.const(0.0)
        q = product(b, q, [b.call("cos", half), zero, zero, b.call("sin", half)])
    return product(b, q, conjugate(b, constant(b, turn.after)))


def angle_of(b: GraphBuilder, turn: JointTurn, parent: Sequence[int], child: Sequence[int]) -> int:
    """Return the angle of a child, with the sign of its quaternion."""
    q = conjugate(b, constant(b, turn.before))
    if parent:
        q = product(b, q, conjugate(b, parent))
    q = product(b, product(b, q, child), constant(b, turn.after))
    return b.mul(b.const(2.0), b.call("atan2", q[3], q[0]))


def with_sign_of(turn: JointTurn, body: Mapping[str, int], q0: FloatArray) -> JointTurn:
    """Return the joint rotation with the sign of the child's quaternion at ``q0``.

    With an angle there is no choice: a full turn changes the sign.
    """
    b = GraphBuilder()
    parent, child = (
        constant(b, [float(q0[k]) for k in coordinates(x, body)]) for x in (turn.parent, turn.child)
    )
    node = angle_of(b, turn, parent, child)
    (angle,) = evaluate(b.finish(), [node], {})
    if turn.free or abs(angle) < np.pi:
        return turn
    q = turn.after
    return replace(turn, after=(-q[0], -q[1], -q[2], -q[3]))


def turned(
    whole: WholeMechanism,
    state: dict[str, Any],
    rows: dict[int, int],
    turn: JointTurn,
    multipliers: Sequence[int],
) -> Turned | None:
    """Return the elimination by a joint rotation; None if the joint's equations do not fit.

    Parameters
    ----------
    whole, state, rows
        Equations of the mechanism at its inputs: nodes of the residual by row.
    multipliers : sequence of int
        Multipliers of the joint.
    """
    n_q, first = whole.numbering.n_q, whole.numbering.body
    quaternion, parent = coordinates(turn.child, first), coordinates(turn.parent, first)
    child, place = first[turn.child.name], turn.child.quaternion
    samples = [_sample(whole, state, turn, quaternion, parent, k) for k in range(SAMPLES)]
    empty = _fulfilled(whole, rows, [n_q + k for k in multipliers], samples, state, quaternion)
    if len(empty) != (2 if turn.free else 3):
        return None
    b = whole.builder
    moments = [rows.get(child + place.moments + k, b.const(0.0)) for k in range(3)]
    along = [_along(b, e, moments) for e in _axes(turn.after)]
    lam = [state["lam"][r - n_q] for r in empty]
    # The reactions have constant directions in the child, or in its parent (if it is their `a`).
    for axes in (along, _of_parent(b, turn, along)):
        directions = _constant(b, axes, lam, samples)
        if directions is None or (turn.free and np.abs(directions[2]).max() > SAME):
            continue
        square = directions[: len(empty)]
        if np.linalg.cond(square) > LARGEST_CONDITION:
            continue
        return Turned(
            turn, quaternion, parent, child + place.norm, tuple(empty),
            tuple(axes[: len(empty)]), np.linalg.inv(square), axes[2] if turn.free else None,
        )  # fmt: skip
    return None


def angle_name(turn: JointTurn) -> str:
    """Return the name of the angle."""
    return f"{turn.joint}_angle"


def _along(b: GraphBuilder, axis: Sequence[float], moments: Sequence[int]) -> int:
    return b.total([b.mul(b.const(x), m) for x, m in zip(axis, moments, strict=True)])


def _of_parent(b: GraphBuilder, turn: JointTurn, along: Sequence[int]) -> list[int]:
    """Return the components along the joint axes in the parent."""
    if not turn.free:
        return list(along)
    angle = b.input(angle_name(turn))
    c, s = b.call("cos", angle), b.call("sin", angle)
    return [
        b.sub(b.mul(c, along[0]), b.mul(s, along[1])),
        b.add(b.mul(s, along[0]), b.mul(c, along[1])),
        along[2],
    ]


def _sample(
    whole: WholeMechanism,
    state: dict[str, Any],
    turn: JointTurn,
    quaternion: Sequence[int],
    parent: Sequence[int],
    seed: int,
) -> dict[str, float]:
    """Return random inputs that satisfy the joint rotation."""
    rng = np.random.default_rng(seed)
    inputs = {
        name: float(whole.p[k]) if array == "p" else float(rng.normal())
        for name, (array, k) in whole.sources.items()
    }
    names = whole.variables["q"]
    unit = rng.normal(size=4)
    inputs |= {
        names[k]: float(x) for k, x in zip(parent, unit / np.linalg.norm(unit), strict=False)
    }
    b = GraphBuilder()
    known = [b.const(inputs[names[k]]) for k in parent]
    inputs[angle_name(turn)] = float(rng.normal())
    angle = b.const(inputs[angle_name(turn)]) if turn.free else None
    nodes = child_quaternion(b, turn, known, angle)
    values = evaluate(b.finish(), nodes, {})
    return inputs | {names[k]: float(x) for k, x in zip(quaternion, values, strict=True)}


def _fulfilled(
    whole: WholeMechanism,
    rows: dict[int, int],
    own: Sequence[int],
    samples: Sequence[dict[str, float]],
    state: dict[str, Any],
    quaternion: Sequence[int],
) -> list[int]:
    """Return the joint's rows that depend on the child's orientation and vanish at the samples."""
    seeds = {state["q"][k]: {0: whole.builder.const(1.0)} for k in quaternion}
    moving = gradients(whole.builder, [rows[r] for r in own], seeds)
    graph = whole.builder.finish()
    return [
        r
        for r, gradient in zip(own, moving, strict=True)
        if gradient and all(abs(evaluate(graph, [rows[r]], s)[0]) < SAME for s in samples)
    ]


def _constant(
    b: GraphBuilder,
    nodes: Sequence[int],
    lam: Sequence[int],
    samples: Sequence[dict[str, float]],
) -> Any:
    """Return the derivatives of nodes with respect to multipliers if they are constant."""
    one = b.const(1.0)
    found = gradients(b, nodes, {node: {k: one} for k, node in enumerate(lam)})
    graph = b.finish()
    values = [
        [[evaluate(graph, [g[k]], s)[0] if k in g else 0.0 for k in range(len(lam))] for g in found]
        for s in samples
    ]
    first = np.array(values[0], float)
    return first if all(np.abs(np.array(v) - first).max() < SAME for v in values[1:]) else None


def _axes(q: Sequence[float]) -> list[list[float]]:
    """Return the columns of the rotation matrix of a quaternion."""
    b = GraphBuilder()
    p = constant(b, q)
    columns = []
    for k in range(3):
        unit = constant(b, [0.0, *(float(i == k) for i in range(3))])
        columns.append(product(b, product(b, p, unit), conjugate(b, p))[1:])
    return [[float(x) for x in evaluate(b.finish(), column, {})] for column in columns]
