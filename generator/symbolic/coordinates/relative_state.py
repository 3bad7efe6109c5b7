"""Initial conditions of joint coordinates, from the initial motion of the bodies.

A coordinate with a measure of the same name in the joint has its value; a displacement is a
component of the distance, a unit quaternion the relative orientation. Rates are directional
derivatives along the velocities of both bodies.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from mbdgen.geometry.frames import Frame
from mbdgen.geometry.symbolic_vectors import AXES, Vec
from mbdgen.joints.base import Joint
from mbdgen.language.bodies.orientation import Orientation
from mbdgen.language.expressions.scalars import Scalar, is_number
from mbdgen.language.expressions.small_vectors import cross, dot, minus
from mbdgen.language.markers.joint_moves import Ball, Bend, Move, Slide
from mbdgen.language.markers.marker import Marker
from mbdgen.symbolic.derive.algebra_engines import make_engine
from mbdgen.symbolic.derive.sympy_conversion import Converter
from mbdgen.symbolic.derive.tape import Tape
from mbdgen.symbolic.ir.graph import Graph, GraphBuilder
from mbdgen.symbolic.ir.graph_evaluation import evaluate
from mbdgen.symbolic.ir.graph_gradient import gradients
from mbdgen.symbolic.ir.operations import ARITHMETIC
from mbdgen.topology.tree import Branch, BranchEnd

State = tuple[list[Scalar], list[Scalar]]
_VECTORS = ("r", "e1", "e2", "e3")


class InitialBranches:
    """Initial states of branches; the formulas of each joint class are derived once."""

    def __init__(self) -> None:
        self._formulas: dict[type[Joint], tuple[Graph, list[tuple[int, int]]]] = {}

    def state(self, branch: Branch, joint: Joint, a: Marker, b: Marker) -> State:
        """Return coordinates and rates of a branch.

        Parameters
        ----------
        joint : Joint
            Element with the measures.
        a, b : Marker
            Its ends, on bodies with initial motion.
        """
        measured = self._measured(joint, branch.moves, a, b)
        q: list[Scalar] = []
        v: list[Scalar] = []
        for move in branch.moves:
            if isinstance(move, Ball):
                turn, rates = _relative_turn(branch, a, b)
                q, v = [*q, *turn], [*v, *rates]
            elif not isinstance(move, Bend):
                value, rate = measured.pop(0)
                q, v = [*q, value], [*v, rate]
        return q, v

    def _measured(
        self, joint: Joint, moves: Sequence[Move], a: Marker, b: Marker
    ) -> list[tuple[Scalar, Scalar]]:
        """Return values and rates of all coordinates except quaternions."""
        known = self._formulas.get(type(joint))
        if known is None:
            known = self._formulas[type(joint)] = _formulas(joint, moves)
        graph, nodes = known
        inputs = {**_numbers("a", a), **_numbers("b", b)}
        roots = [node for pair in nodes for node in pair]
        found = _evaluated(graph, roots, inputs)
        return list(zip(found[::2], found[1::2], strict=True))


def _formulas(joint: Joint, moves: Sequence[Move]) -> tuple[Graph, list[tuple[int, int]]]:
    """Return nodes of every coordinate and its rate as functions of two frames."""
    engine = make_engine("sympy")
    tape = Tape(engine)
    frames = [_fixed_frame(label, tape) for label in "ab"]
    b = GraphBuilder()
    converter = Converter(b)
    seeds: dict[int, Mapping[int, int]] = {}
    for label in "ab":
        for name in (f"{label}_{what}_{c}" for what in _VECTORS for c in AXES):
            seeds[b.input(name)] = {0: b.input(f"{name}_dot")}
    pairs = []
    for move in moves:
        if isinstance(move, Bend | Ball):
            continue
        node = converter.node(engine.to_sympy(_expression(joint, move, frames)))
        (slope,) = gradients(b, [node], seeds)
        pairs.append((node, slope.get(0, b.const(0.0))))
    return b.finish(), pairs


def _expression(joint: Joint, move: Move, frames: Sequence[Frame]) -> Any:
    a, b = frames
    if move.coordinates[0] in joint.measures:
        return joint.measure(move.coordinates[0], a, b)
    assert isinstance(move, Slide), f"{joint.name} does not measure {move.coordinates[0]}"
    return a.axis(move.axis - 1).dot(b.r - a.r)


def _fixed_frame(label: str, tape: Tape) -> Frame:
    """Return a symbolic frame without body."""
    r, e1, e2, e3 = (Vec(*(tape.input(f"{label}_{what}_{c}") for c in AXES)) for what in _VECTORS)
    return Frame(label, None, r, (e1, e2, e3), tape)


def _numbers(label: str, marker: Marker) -> dict[str, Scalar]:
    """Return the initial vectors of a marker and their rates, by name."""
    motion = marker.body.motion
    axes = marker.global_axes
    rates = (
        motion.point_velocity(marker.point),
        *(cross(motion.angular_velocity, e) for e in axes),
    )
    found: dict[str, Scalar] = {}
    for what, vector, rate in zip(_VECTORS, (marker.global_point, *axes), rates, strict=True):
        for c, x, dx in zip(AXES, vector, rate, strict=True):
            found[f"{label}_{what}_{c}"], found[f"{label}_{what}_{c}_dot"] = x, dx
    return found


def _relative_turn(branch: Branch, a: Marker, b: Marker) -> tuple[Sequence[Scalar], list[Scalar]]:
    """Return the quaternion of b's axes relative to a's, and its rate ``p (0, w) / 2``."""
    turn = _turn(a, branch.a).inverse() @ _turn(b, branch.b)
    omega = minus(b.body.motion.angular_velocity, a.body.motion.angular_velocity)
    x, y, z = (dot(e, omega) for e in b.global_axes)
    p0, p1, p2, p3 = turn.q
    rates = [
        (-p1 * x - p2 * y - p3 * z) / 2,
        (p0 * x + p2 * z - p3 * y) / 2,
        (p0 * y + p3 * x - p1 * z) / 2,
        (p0 * z + p1 * y - p2 * x) / 2,
    ]
    return turn.q, rates


def _turn(marker: Marker, end: BranchEnd) -> Orientation:
    return marker.body.motion.orientation @ Orientation(end.axes)


def _evaluated(graph: Graph, roots: Sequence[int], inputs: Mapping[str, Scalar]) -> list[Scalar]:
    if all(is_number(x) for x in inputs.values()):
        return evaluate(graph, roots, inputs)
    return _expressions(graph, roots, inputs)


def _expressions(graph: Graph, roots: Sequence[int], inputs: Mapping[str, Scalar]) -> list[Scalar]:
    """Return the nodes as expressions of parameters."""
    import sympy

    value: dict[int, Any] = {}
    for k in graph.needed(roots):
        op, *args = graph.nodes[k]
        if op == "const":
            value[k] = args[0]
        elif op == "input":
            value[k] = inputs[args[0]]
        else:
            function = ARITHMETIC.get(op) or getattr(sympy, op)
            value[k] = function(*(value[x] for x in args))
    return [_plain(value[k]) for k in roots]


def _plain(x: Any) -> Scalar:
    """Return a number if no parameter is left."""
    return x if is_number(x) or x.free_symbols else float(x)
