"""The spanning tree of a mechanism: which joint gives the place of which body, and which are cut.

The tree grows from the ground (and from a free body where no joint leads on) by the joint with the
fewest freedoms, then the one nearest to the root, then the first of the model: a joint with many
freedoms is cheap to cut, because its loop needs few equations.
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

GROUND = ""  # its name where bodies have theirs
Numbers4 = tuple[float, float, float, float]


@dataclass(frozen=True)
class BranchEnd:
    """One end of a joint.

    Attributes
    ----------
    body : Body or None
        None for the ground.
    point : 3 scalars
        In body axes, from where the equations of the body measure.
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
    """A joint that gives the place of a body.

    Attributes
    ----------
    joint : str
        Its name.
    moves : tuple of Move
        What it leaves free.
    a, b : BranchEnd
        Its ends.
    backward : bool
        Whether the body is that of `a`, and the parent that of `b`.
    """

    joint: str
    moves: tuple[Move, ...]
    a: BranchEnd
    b: BranchEnd
    backward: bool = False

    @property
    def parent(self) -> BranchEnd:
        """The end that is known."""
        return self.b if self.backward else self.a

    @property
    def shape(self) -> tuple[object, ...]:
        """What branches with the same equations have in common."""
        kinds = (e.body and type(e.body.kind) for e in (self.parent, self.child))
        return (*self.moves, self.backward, *kinds)

    @property
    def child(self) -> BranchEnd:
        """The end that follows."""
        return self.a if self.backward else self.b


@dataclass(frozen=True)
class Tree:
    """What is relative in a mechanism.

    Attributes
    ----------
    branches : tuple of Branch
        Parents before children.
    free : tuple of Body
        Bodies that keep their own coordinates.
    cut : tuple of str
        Joints that stay equations.
    """

    branches: tuple[Branch, ...]
    free: tuple[Body, ...]
    cut: tuple[str, ...]


def is_relative(model: Model, specs: Sequence[ElementSpec]) -> bool:
    """Whether a mechanism gets relative coordinates.

    For "auto" where they are all there is: every body is given by a joint, no joint is cut, and
    some joint lets a body move.
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
        Joints that must stay equations, whatever they list.
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
    """Return what a joint could give; nothing if it does not say, or its axes are no numbers."""
    if spec.role != "joint" or (moves := spec.parts[0].element.moves) is None:
        return None
    ends = [_end(spec, frame) for frame in spec.frames[:2]]
    if len(ends) != 2 or None in ends:
        return None
    a, b = ends
    assert a is not None and b is not None
    return Branch(spec.name, moves, a, b)


def reverse(branch: Branch) -> Branch:
    """Return the joint seen from its other end."""
    return Branch(branch.joint, branch.moves, branch.a, branch.b, not branch.backward)


def free_joint(body: Body) -> Branch | None:
    """Return the moves of a body that no joint gives: all of them, from the ground.

    Their coordinates, rows and norm are those of the body. Nothing if it has other ones.
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
    """Return the branches that begin at a root, in the order of growth."""
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
    """Whether the child has coordinates that can be given, in the plane of its parent if in one."""
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
    """Return an end; none if it moves along its body, or its axes are no plain numbers."""
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
