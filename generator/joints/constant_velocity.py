"""Common origin; b swings in any direction but does not twist: equal speed of both shafts."""

from dataclasses import dataclass
from math import atan2 as angle_of_numbers
from typing import Any

from mbdgen.geometry.frames import Frame
from mbdgen.geometry.functions import atan2, cos, sin, sqrt
from mbdgen.geometry.symbolic_vectors import Expr
from mbdgen.joints.base import Joint
from mbdgen.language.expressions.scalars import is_number
from mbdgen.language.expressions.small_vectors import dot
from mbdgen.language.markers.marker import Marker

# Regularisation of sin^2(bend) in the rate, undefined for aligned shafts: there it is 0.
IN_LINE = 1e-30
# A twist due to round-off only.
ROUNDING = 1e-12


@dataclass(frozen=True)
class ConstantVelocity(Joint):
    r"""Constant-velocity (homokinetic) joint: common origin, no twist between the shafts e3.

    .. math:: r_b - r_a = 0, \qquad (1 + \cos\beta) \sin(\psi_0 - \psi) = 0

    Let the matrix ``R_ij = a.ei . b.ej`` turn a's axes into b's, and ``q = (q0, q1, q2, q3)`` be
    its quaternion. It is a pure swing, a rotation about an axis normal to e3, where ``q3 = 0``.
    With the twist ``psi = 2 atan2(q3, q0)`` and the bend angle ``beta`` between the shafts,
    ``R21 - R12 = 4 q0 q3 = (1 + cos(beta)) sin(psi)`` and
    ``R11 + R22 = 2 (q0^2 - q3^2) = (1 + cos(beta)) cos(psi)``. The joint keeps `psi` at `twist`, by
    default that of the initial position, where the markers need not agree in e1:
    ``(1 + cos(beta)) sin(twist - psi) = 0``. For ``twist = "none"`` this is ``R12 - R21 = 0``.

    Its rate is ``-(b.w - a.w) . (a.e3 + b.e3)``: the reaction torque lies along the bisector of the
    shafts, and shafts that turn in bearings with the speeds ``w_a`` and ``w_b`` fulfil
    ``(w_b - w_a) (1 + cos(beta)) = 0``, whatever the bend angle.

    Singular position: shafts folded back on each other (``beta`` = 180 degrees), where the
    derivative vanishes and the branch with another half turn of twist meets the wanted one.

    `bend` is the angle between the shafts, from 0 to pi, and `bend_rate` its derivative; where the
    shafts are in line the angle has a corner, and the rate is given as 0. The shafts of a bent
    joint need `axis_a` and `axis_b`, or markers whose e3 they are; `axis` is for shafts in line.

    Attributes
    ----------
    twist : scalar, optional
        Angle :math:`\psi_0` that is kept; that of the initial position by default.
    """

    name = "constant_velocity"
    axis = True
    measures = {"bend": 1, "bend_rate": 1}
    units = {"bend": "rad", "bend_rate": "rad/s"}

    twist: Any = None

    def defaults(self, *markers: Marker) -> dict[str, Any]:
        """Return the initial twist; none where both e1 agree, which is simpler."""
        (a1, a2, _), (b1, b2, _) = (marker.global_axes for marker in markers)
        sine, cosine = dot(a2, b1) - dot(a1, b2), dot(a1, b1) + dot(a2, b2)
        if not (is_number(sine) and is_number(cosine)):
            return {"twist": atan2(sine, cosine)}
        twist = angle_of_numbers(sine, cosine)
        return {"twist": "none" if abs(twist) < ROUNDING else twist}

    def equations(self, a: Frame, b: Frame) -> list[Expr]:
        """Return the constraint equations."""
        across = a.e1.dot(b.e2) - a.e2.dot(b.e1)
        if self.twist != "none":
            along = a.e1.dot(b.e1) + a.e2.dot(b.e2)
            across = cos(self.twist) * across + sin(self.twist) * along
        return [*(b.r - a.r), across]

    def measure(self, name: str, *frames: Any) -> Expr:
        """Return the bend angle or its rate."""
        a, b = frames
        normal = a.e3.cross(b.e3)
        if name == "bend":
            return atan2(normal.norm(), a.e3.dot(b.e3))
        return (b.w - a.w).dot(normal) / sqrt(normal.dot(normal) + IN_LINE)
