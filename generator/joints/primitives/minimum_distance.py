"""Two planes have the same distance from the origin."""

from dataclasses import dataclass

from mbdgen.geometry.frames import Frame
from mbdgen.geometry.symbolic_vectors import Expr
from mbdgen.joints.base import Joint


@dataclass(frozen=True)
class MinimumDistance(Joint):
    r"""The planes through a and b with their normals e3 have the same distance from the origin.

    .. math:: b_3 \cdot r_b - a_3 \cdot r_a = 0

    The distance has a sign, that of the normal. With `common_vector` it is a planar joint that
    needs no vector between the two points.
    """

    name = "minimum_distance"
    axis = True

    def equations(self, a: Frame, b: Frame) -> list[Expr]:
        """Return the constraint equations."""
        return [b.e3.dot(b.r) - a.e3.dot(a.r)]
