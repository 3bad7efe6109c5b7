r"""Orientation of a child body from that of its parent and one joint angle.

.. math:: p_c = p_p \otimes \mu_p \otimes (\cos\tfrac\theta2, 0, 0, \sin\tfrac\theta2)
              \otimes \bar\mu_c

with the quaternions :math:`\mu` of the joint's axes in both bodies. The joints are taken outwards
from the ground, so every body is the child of at most one joint.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from mbdgen.language.bodies.coordinates import UnitQuaternion
from mbdgen.language.bodies.orientation import rotation_matrix
from mbdgen.language.expressions.scalars import is_number
from mbdgen.language.markers.joint_moves import Turn as TurnAbout
from mbdgen.topology.elements import ElementSpec, FrameSpec

GROUND = ""  # name of the ground among names of bodies
Numbers4 = tuple[float, float, float, float]


@dataclass(frozen=True)
class TurningBody:
    """Body whose orientation is a unit quaternion.

    Attributes
    ----------
    name : str
        Name of the body.
    quaternion : UnitQuaternion
        Indices of the unit quaternion among coordinates and rows.
    """

    name: str
    quaternion: UnitQuaternion


@dataclass(frozen=True)
class JointTurn:
    """Orientation of a body given by a joint.

    Attributes
    ----------
    joint : str
        Name of the joint.
    parent : TurningBody or None
        Body from which the orientation follows; None for the ground.
    child : TurningBody
        The body.
    before, after : four numbers
        Quaternions of the joint's axes in the parent and in the child.
    free : bool
        Whether the child can turn about e3; else its axes go with its parent's.
    """

    joint: str
    parent: TurningBody | None
    child: TurningBody
    before: Numbers4
    after: Numbers4
    free: bool


def turns(specs: Sequence[ElementSpec]) -> tuple[JointTurn, ...]:
    """Return the orientations given by joints, parents before children."""
    waiting = [pair for spec in specs for pair in _both_ways(spec)]
    roots = [GROUND, *dict.fromkeys(b.name for spec in specs for b in spec.bodies)]
    reached: set[str] = set()
    found: list[JointTurn] = []
    for root in roots:
        if root in reached:
            continue
        reached.add(root)
        border = [root]
        while border:
            parent = border.pop(0)
            for turn in waiting:
                start = turn.parent.name if turn.parent else GROUND
                if start == parent and turn.child.name not in reached:
                    reached.add(turn.child.name)
                    found.append(turn)
                    border.append(turn.child.name)
    return tuple(found)


def _both_ways(spec: ElementSpec) -> Iterator[JointTurn]:
    """Yield the joint rotation seen from either body; none if its axes are not plain numbers."""
    if spec.role != "joint" or (moves := spec.parts[0].element.moves) is None:
        return
    rotations = [move for move in moves if move.rotates]
    if not all(isinstance(move, TurnAbout) for move in rotations):
        return
    ends = [(_turning(spec, f), f.body < 0, _axes(spec, f)) for f in spec.frames[:2]]
    for (parent, ground, before), (child, _, after) in (ends, reversed(ends)):
        if before and after and (parent or ground) and child:
            yield JointTurn(spec.name, parent, child, before, after, bool(rotations))


def _turning(spec: ElementSpec, frame: FrameSpec) -> TurningBody | None:
    """Return the body of a frame if its orientation is a quaternion."""
    if frame.body < 0:
        return None
    body = spec.bodies[frame.body]
    place = body.kind.quaternion if body.kind is not None else None
    return None if place is None else TurningBody(body.name, place)


def _axes(spec: ElementSpec, frame: FrameSpec) -> Numbers4 | None:
    """Return the axes of a frame as a quaternion, if it has any and they are plain numbers."""
    columns = dict(spec.columns)
    rows = [[columns[x] if isinstance(x, str) else x for x in row] for row in frame.axes()]
    if not rows or not all(is_number(x) for row in rows for x in row):
        return None
    q0, q1, q2, q3 = rotation_matrix(list(zip(*rows, strict=True))).q
    return float(q0), float(q1), float(q2), float(q3)
