"""Translation along and rotation about e3 of a."""

from dataclasses import dataclass

from mbdgen.geometry.frame_measures import ROTATION, TRANSLATION
from mbdgen.geometry.frames import Frame
from mbdgen.geometry.symbolic_vectors import Expr
from mbdgen.joints.winding import WindingJoint
from mbdgen.language.markers.joint_moves import Slide, Turn


@dataclass(frozen=True)
class Cylindrical(WindingJoint):
    r"""Translation along and rotation about e3 of a.

    .. math::
        a_1 \cdot d = a_2 \cdot d = 0, \qquad a_3 \cdot b_1 = a_3 \cdot b_2 = 0, \qquad
        d = r_b - r_a

    Its `angle` begins within half a turn, and further away by whole `turns`.
    """

    name = "cylindrical"
    holds = "axis"
    meets = False
    moves = (Slide("displacement", 3), Turn("angle"))
    axis = True
    measures = ROTATION | TRANSLATION

    def guides(self, a: Frame, b: Frame) -> list[Expr]:
        """Point b stays on the axis."""
        d = b.r - a.r
        return [a.e1.dot(d), a.e2.dot(d)]

    def directions(self, a: Frame, b: Frame) -> list[Expr]:
        """Axes e3 stay parallel."""
        return [a.e3.dot(b.e1), a.e3.dot(b.e2)]
