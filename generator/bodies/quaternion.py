r"""Spatial rigid body: position of the centre of mass and a unit quaternion (seven coordinates).

.. math:: \bar\omega = 2 \bar E(q) \dot q, \qquad q \cdot q = 1

The equations of motion are those of `mbdgen.bodies.rigid`.
"""

from collections.abc import Sequence
from typing import ClassVar

from mbdgen.bodies.rigid import RigidBody
from mbdgen.geometry.frames import BodySymbols
from mbdgen.geometry.symbolic_vectors import Expr, Vec
from mbdgen.language.bodies.coordinates import UnitQuaternion
from mbdgen.language.bodies.pose import Motion
from mbdgen.language.expressions.scalars import Scalar


class Quaternion(RigidBody):
    """Centre of mass (x, y, z) and unit quaternion (q0 scalar part, q1, q2, q3)."""

    name = "quaternion"
    coordinates = ("x", "y", "z", "q0", "q1", "q2", "q3")
    unit_blocks = ((3, 4),)
    quaternion: ClassVar[UnitQuaternion | None] = UnitQuaternion(coordinates=3, moments=3, norm=6)
    position = (0, 1, 2)

    def initial(self, motion: Motion) -> tuple[Sequence[Scalar], Sequence[Scalar]]:
        """Return the pose and twist of the centre of mass."""
        q0, q1, q2, q3 = motion.orientation.q
        wx, wy, wz = motion.angular_velocity
        rates = (
            (-q1 * wx - q2 * wy - q3 * wz) / 2,
            (q0 * wx + q3 * wy - q2 * wz) / 2,
            (-q3 * wx + q0 * wy + q1 * wz) / 2,
            (q2 * wx - q1 * wy + q0 * wz) / 2,
        )
        position = motion.global_point(motion.centre_of_mass)
        velocity = motion.point_velocity(motion.centre_of_mass)
        return (*position, q0, q1, q2, q3), (*velocity, *rates)

    def axes(self, body: BodySymbols) -> tuple[Vec, Vec, Vec]:
        r"""Columns of :math:`R(q)`."""
        q0, q1, q2, q3 = body.q[-4:]
        s0, s1, s2, s3 = q0**2, q1**2, q2**2, q3**2
        return (
            Vec(s0 + s1 - s2 - s3, 2 * (q1 * q2 + q0 * q3), 2 * (q1 * q3 - q0 * q2)),
            Vec(2 * (q1 * q2 - q0 * q3), s0 - s1 + s2 - s3, 2 * (q2 * q3 + q0 * q1)),
            Vec(2 * (q1 * q3 + q0 * q2), 2 * (q2 * q3 - q0 * q1), s0 - s1 - s2 + s3),
        )

    def angular_velocity(self, body: BodySymbols) -> Vec:
        r"""Return :math:`\omega = 2 E(q) \dot q` in global axes."""
        q0, q1, q2, q3 = body.q[-4:]
        d0, d1, d2, d3 = body.v[-4:]
        return Vec(
            2 * (-q1 * d0 + q0 * d1 - q3 * d2 + q2 * d3),
            2 * (-q2 * d0 + q3 * d1 + q0 * d2 - q1 * d3),
            2 * (-q3 * d0 - q2 * d1 + q1 * d2 + q0 * d3),
        )

    def rates_in_body(self, body: BodySymbols) -> Vec:
        r"""Return :math:`2 \bar E(q) \dot q`."""
        return _body_rates(body.q, body.v)

    def accelerations_in_body(self, body: BodySymbols) -> Vec:
        r"""Return :math:`2 \bar E(q) \ddot q`; the term of the matrix rate vanishes."""
        return _body_rates(body.q, body.a)

    def norms(self, body: BodySymbols) -> list[Expr]:
        """Return the condition of unit length."""
        return [sum(c**2 for c in body.q[-4:]) - 1]


def _body_rates(q: Sequence[Expr], rate: Sequence[Expr]) -> Vec:
    r"""Return :math:`2 \bar E(q) \dot q`; second rates give accelerations."""
    q0, q1, q2, q3 = q[-4:]
    d0, d1, d2, d3 = rate[-4:]
    return Vec(
        2 * (-q1 * d0 + q0 * d1 + q3 * d2 - q2 * d3),
        2 * (-q2 * d0 - q3 * d1 + q0 * d2 + q1 * d3),
        2 * (-q3 * d0 + q2 * d1 - q1 * d2 + q0 * d3),
    )
