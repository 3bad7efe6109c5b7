"""Point b slides on the plane of a with normal e3 and turns about it."""

from dataclasses import dataclass
from typing import Any

from mbdgen.geometry.frame_measures import ROTATION, UNITS, relative
from mbdgen.geometry.frames import Frame
from mbdgen.geometry.symbolic_vectors import Expr
from mbdgen.joints.base import Joint
from mbdgen.language.markers.joint_moves import Slide, Turn


@dataclass(frozen=True)
class PlanarJoint(Joint):
    r"""Point b slides on the plane of a with normal e3; its body turns about the normal.

    .. math:: a_3 \cdot (r_b - r_a) = 0, \qquad a_3 \cdot b_1 = a_3 \cdot b_2 = 0
    """

    name = "planar"
    moves = (Slide("x", 1), Slide("y", 2), Turn("angle"))
    axis = True
    measures = {**ROTATION, "x": 1, "y": 1}
    units = {**UNITS, "x": "m", "y": "m"}

    def equations(self, a: Frame, b: Frame) -> list[Expr]:
        """Return the constraint equations."""
        return [a.e3.dot(b.r - a.r), a.e3.dot(b.e1), a.e3.dot(b.e2)]

    def measure(self, name: str, *frames: Any) -> Expr:
        """Return the angle, its rate, or a displacement along e1 or e2 of a."""
        a, b = frames
        if name in ("x", "y"):
            return (a.e1 if name == "x" else a.e2).dot(b.r - a.r)
        return relative(name, a, b)
