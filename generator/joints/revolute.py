"""Common origin; axis e3 of a stays normal to e1 and e2 of b."""

from dataclasses import dataclass

from mbdgen.geometry.frame_measures import ROTATION
from mbdgen.geometry.frames import Frame
from mbdgen.geometry.symbolic_vectors import Expr
from mbdgen.joints.winding import WindingJoint
from mbdgen.language.markers.joint_moves import Turn


@dataclass(frozen=True)
class Revolute(WindingJoint):
    r"""Common origin; axis e3 of a stays normal to e1 and e2 of b.

    .. math:: r_b - r_a = 0, \qquad a_3 \cdot b_1 = 0, \qquad a_3 \cdot b_2 = 0

    Its `angle` begins within half a turn, and further away by whole `turns`.
    """

    name = "revolute"
    holds = "axis"
    moves = (Turn("angle"),)
    axis = True
    measures = ROTATION

    def directions(self, a: Frame, b: Frame) -> list[Expr]:
        """Axes e3 stay parallel."""
        return [a.e3.dot(b.e1), a.e3.dot(b.e2)]
