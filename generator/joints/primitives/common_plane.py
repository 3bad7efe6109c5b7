"""b slides on the plane of a: a common normal and equal distances of the plane from the origin."""

from dataclasses import dataclass

from mbdgen.geometry.frame_measures import ROTATION
from mbdgen.geometry.frames import Frame
from mbdgen.geometry.symbolic_vectors import Expr
from mbdgen.joints.base import Joint
from mbdgen.language.markers.joint_moves import Slide, Turn


@dataclass(frozen=True)
class CommonPlane(Joint):
    r"""Planar joint by normal and distance from the origin, which both bodies have in common.

    .. math:: b_3 \cdot r_b - a_3 \cdot r_a = 0, \qquad a_3 \cdot b_1 = a_3 \cdot b_2 = 0

    The same motions as `planar`, whose first equation is that of a point in the plane. Here no
    vector joins the two bodies; the reaction force acts along both normals.
    """

    name = "common_plane"
    moves = (Slide("x", 1), Slide("y", 2), Turn("angle"))
    axis = True
    measures = ROTATION

    def equations(self, a: Frame, b: Frame) -> list[Expr]:
        """Return the constraint equations."""
        return [a.e3.dot(b.e1), a.e3.dot(b.e2), b.e3.dot(b.r) - a.e3.dot(a.r)]
