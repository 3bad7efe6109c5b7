"""Spanning tree of a mechanism: tree joints with relative coordinates, and cut (loop) joints.

The tree grows from the ground (and from a free body where no joint leads on) by the joint with the
fewest degrees of freedom, then the one nearest to the root, then the first of the model: a joint
with many degrees of freedom is cheap to cut, because its loop needs few constraint equations.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from heapq import heappop, heappush

from mbdgen.language.bodies.body import Body
from mbdgen.language.bodies.orientation import rotation_matrix
from mbdgen.language.expressions.scalars import Scalar, is_number
from mbdgen.language.markers.joint_moves import Ball, Move, Slide, Turn, freedoms
from mbdgen.language.model import Model
from mbdgen.topology.elements import ElementSpec, FrameSpec

GROUND = ""  # name of the ground among names of bodies
Numbers4 = tuple[float, float, float, float]


@dataclass(frozen=True)
class BranchEnd:
    """End of a joint.

    Attributes
    ----------
    body : Body or None
        None for the ground.
    point : 3 scalars
        Position in body axes, relative to the reference point of the body.
    axes : four numbers
        Quaternion of the joint's axes in the body.
    """

    body: Body | None
    point: tuple[Scalar, Scalar, Scalar]
    axes: Numbers4

    @property
    def name(self) -> str:
        """Name of the body."""
        return GROUND if self.body is None else self.body.name


@dataclass(frozen=True)
class Branch:
    """Tree joint: it gives the position and orientation of a body.

    Attributes
    ----------
    joint : str
        Name of the joint.
    moves : tuple of Move
        Its relative degrees of freedom.
    a, b : BranchEnd
        Ends of the joint.
    backward : bool
        Whether `a` is on the child body, and `b` on the parent.
    """

    joint: str
    moves: tuple[Move, ...]
    a: BranchEnd
    b: BranchEnd
    backward: bool = False

    @property
    def parent(self) -> BranchEnd:
        """The end on the parent body."""
        return self.b if self.backward else self.a

    @property
    def shape(self) -> tuple[object, ...]:
        """Structure key: equal for branches with equal equations."""
        kinds = (e.body and type(e.body.kind) for e in (self.parent, self.child))
        return (*self.moves, self.backward, *kinds)

    @property
    def child(self) -> BranchEnd:
        """The end on the child body."""
        return self.a if self.backward else self.b


@dataclass(frozen=True)
class Tree:
    """Spanning tree of a mechanism.

    Attributes
    ----------
    branches : tuple of Branch
        Parents before children.
    free : tuple of Body
        Bodies that keep absolute coordinates.
    cut : tuple of str
        Joints that remain constraint equations (loop closure).
    """

    branches: tuple[Branch, ...]
    free: tuple[Body, ...]
    cut: tuple[str, ...]


def is_relative(model: Model, specs: Sequence[ElementSpec]) -> bool:
    """Return whether a mechanism gets relative (joint) coordinates.

    For "auto" only if they suffice: every body is given by a joint, no joint is cut, and at least
    one joint has a degree of freedom.
    """
    if model.joint_coordinates != "auto":
        return model.joint_coordinates == "relative"
    tree = grow(specs)
    return any(branch.moves for branch in tree.branches) and not tree.free and not tree.cut


def grow(specs: Sequence[ElementSpec], unfit: frozenset[str] = frozenset()) -> Tree:
    """Return the spanning tree.

    Parameters
    ----------
    unfit : set of str
        Joints that must remain constraint equations, whatever moves they list.
    """
    ways: dict[str, list[tuple[int, Branch]]] = {}
    for place, spec in enumerate(specs):
        if (branch := branch_of(spec)) is None or spec.name in unfit:
            continue
        for way in (branch, reverse(branch)):
            ways.setdefault(way.parent.name, []).append((place, way))
    bodies = [spec.bodies[0] for spec in specs if spec.role == "body"]
    reached: set[str] = set()
    branches: list[Branch] = []
    free: list[Body] = []
    for root in (None, *bodies):
        name = GROUND if root is None else root.name
        if name in reached:
            continue
        if root is not None:
            free.append(root)
        branches += _outwards(name, ways, reached)
    taken = {branch.joint for branch in branches}
    cut = (s.name for s in specs if s.role == "joint" and s.name not in taken)
    return Tree(tuple(branches), tuple(free), tuple(cut))


def branch_of(spec: ElementSpec) -> Branch | None:
    """Return a joint as a branch; None if it lists no moves, or its axes are not numbers."""
    if spec.role != "joint" or (moves := spec.parts[0].element.moves) is None:
        return None
    ends = [_end(spec, frame) for frame in spec.frames[:2]]
    if len(ends) != 2 or None in ends:
        return None
    a, b = ends
    assert a is not None and b is not None
    return Branch(spec.name, moves, a, b)


def reverse(branch: Branch) -> Branch:
    """Return the branch with parent and child exchanged."""
    return Branch(branch.joint, branch.moves, branch.a, branch.b, not branch.backward)


def free_joint(body: Body) -> Branch | None:
    """Return the branch of a free body: all moves, from the ground.

    Coordinates, rows and norm equation are those of the body. None if it has other coordinates.
    """
    if body.kind is None or not body.kind.placed:
        return None
    slides = tuple(Slide(name, k) for k, name in enumerate("xyz"[: len(body.kind.position)], 1))
    turning = Turn("angle") if body.kind.planar else Ball()
    ground, own = (BranchEnd(end, (0.0, 0.0, 0.0), (1.0, 0.0, 0.0, 0.0)) for end in (None, body))
    return Branch(f"free {body.name}", (*slides, turning), ground, own)


def _outwards(
    root: str, ways: dict[str, list[tuple[int, Branch]]], reached: set[str]
) -> list[Branch]:
    """Return the branches from a root, in the order of growth."""
    found: list[Branch] = []
    border: list[tuple[int, int, int, bool, Branch]] = []

    def reach(name: str, depth: int) -> None:
        reached.add(name)
        for place, way in ways.get(name, ()):
            if possible(way):
                entry = (freedoms(way.moves), depth, place, way.backward, way)
                heappush(border, entry)

    reach(root, 0)
    while border:
        _, depth, _, _, way = heappop(border)
        if way.child.name not in reached:
            found.append(way)
            reach(way.child.name, depth + 1)
    return found


def possible(way: Branch) -> bool:
    """Return whether the child's coordinates can be given, in its parent's plane if planar."""
    child, parent = way.child.body, way.parent.body
    if child is None or child.kind is None or not child.kind.placed:
        return False
    if parent is not None and (parent.kind is None or not parent.kind.placed):
        return False
    if not child.kind.planar:
        return True
    if any(isinstance(move, Ball) for move in way.moves):
        return False
    return parent is None or (parent.kind is not None and parent.kind.planar)


def _end(spec: ElementSpec, frame: FrameSpec) -> BranchEnd | None:
    """Return an end; None if it moves along its body, or its axes are not plain numbers."""
    if frame.number >= 0:
        return None
    columns = dict(spec.columns)
    rows = [[columns[x] if isinstance(x, str) else x for x in row] for row in frame.axes()]
    if not rows or not all(is_number(x) for row in rows for x in row):
        return None
    q0, q1, q2, q3 = rotation_matrix(list(zip(*rows, strict=True))).q
    x, y, z = (columns[name] for name in frame.point_columns())
    body = None if frame.body < 0 else spec.bodies[frame.body]
    return BranchEnd(body, (x, y, z), (float(q0), float(q1), float(q2), float(q3)))
