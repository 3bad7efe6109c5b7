"""Common origin; e3 of a (axis_a) stays normal to e3 of b (axis_b)."""

from dataclasses import dataclass
from math import sqrt
from typing import Any

from mbdgen.geometry.frames import Frame
from mbdgen.geometry.functions import atan2
from mbdgen.geometry.symbolic_vectors import Expr
from mbdgen.joints.formed import FormedJoint
from mbdgen.language.markers.joint_moves import Bend, Turn

HALF = sqrt(0.5)
"""The constant rotation by 180 degrees that exchanges e1 and e3: b's axis is normal to a's."""


@dataclass(frozen=True)
class Universal(FormedJoint):
    r"""Common origin; e3 of a (axis_a) stays normal to e3 of b (axis_b).

    .. math:: r_b - r_a = 0, \qquad a_3 \cdot b_3 - c = 0

    With a `cosine` other than zero the cross is not rectangular: it is the constant dot product of
    the two axes, between -1 and 1.

    `angle_a` is the rotation of b's axis about a's axis, from a's e1; `angle_b` is the rotation of
    b about its own axis, from a's axis to b's e1.

    Attributes
    ----------
    cosine : scalar
        Cosine c of the constant angle between both axes.
    """

    name = "universal"
    moves = (Turn("angle_a"), Bend((0.0, HALF, 0.0, HALF)), Turn("angle_b"))
    axis = True
    measures = {"angle_a": 1, "angle_b": 1}
    units = {"angle_a": "rad", "angle_b": "rad"}
    angles = frozenset({"angle_a", "angle_b"})

    # At the limits the axes are parallel, where the gradient of the equation vanishes.
    between = {"cosine": (-1.0, 1.0)}

    cosine: Any = 0.0

    def besides(self, a: Frame, b: Frame) -> list[Expr]:
        """The axes keep their angle."""
        return [a.e3.dot(b.e3) - self.cosine]

    def measure(self, name: str, *frames: Any) -> Expr:
        """Return one of the two angles."""
        a, b = frames
        if name == "angle_a":
            return atan2(a.e2.dot(b.e3), a.e1.dot(b.e3))
        return atan2(-b.e2.dot(a.e3), b.e1.dot(a.e3))
