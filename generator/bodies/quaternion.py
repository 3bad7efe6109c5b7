r"""Spatial rigid body: position of the centre of mass and a unit quaternion (seven coordinates).

.. math::
    m \ddot r = F, \qquad \bar I \dot{\bar\omega} + \bar\omega \times \bar I \bar\omega = \bar\tau,
    \qquad \bar\omega = 2 \bar E(q) \dot q, \qquad q \cdot q = 1

Force rows are in global axes, moment rows in body axes (there the inertia is constant).
"""

from collections.abc import Sequence

from mbdgen.bodies.base import BodyKind, weighted_products
from mbdgen.kinematics.frames import BodySymbols, Load
from mbdgen.kinematics.vectors import Expr, Vec, zero
from mbdgen.language.coordinates import UnitQuaternion
from mbdgen.language.pose import Motion
from mbdgen.language.scalars import Scalar


class Quaternion(BodyKind):
    """Centre of mass (x, y, z) and unit quaternion (q0 scalar part, q1, q2, q3)."""

    name = "quaternion"
    coordinates = ("x", "y", "z", "q0", "q1", "q2", "q3")
    rows = ("force x", "force y", "force z", "moment 1", "moment 2", "moment 3")
    parameters = ("m", "I_11", "I_22", "I_33", "I_12", "I_13", "I_23")
    unit_blocks = ((3, 4),)
    quaternion = UnitQuaternion(coordinates=3, moments=3, norm=6)
    position = (0, 1, 2)

    def columns(self, motion: Motion) -> Sequence[Scalar]:
        """Mass and inertia tensor about the centre of mass in body axes."""
        i = motion.inertia
        return (motion.mass, i[0][0], i[1][1], i[2][2], i[0][1], i[0][2], i[1][2])

    def structure(self, motion: Motion) -> str:
        """Principal body axes have simpler equations."""
        return "principal" if motion.principal else ""

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

    def origin(self, body: BodySymbols) -> Vec:
        """Centre of mass."""
        return Vec.of(body.q[:3])

    def axes(self, body: BodySymbols) -> tuple[Vec, Vec, Vec]:
        r"""Columns of :math:`R(q)`."""
        q0, q1, q2, q3 = body.q[3:]
        s0, s1, s2, s3 = q0**2, q1**2, q2**2, q3**2
        return (
            Vec(s0 + s1 - s2 - s3, 2 * (q1 * q2 + q0 * q3), 2 * (q1 * q3 - q0 * q2)),
            Vec(2 * (q1 * q2 - q0 * q3), s0 - s1 + s2 - s3, 2 * (q2 * q3 + q0 * q1)),
            Vec(2 * (q1 * q3 + q0 * q2), 2 * (q2 * q3 - q0 * q1), s0 - s1 - s2 + s3),
        )

    def angular_velocity(self, body: BodySymbols) -> Vec:
        r"""Return :math:`\omega = 2 E(q) \dot q` in global axes."""
        q0, q1, q2, q3 = body.q[3:]
        d0, d1, d2, d3 = body.v[3:]
        return Vec(
            2 * (-q1 * d0 + q0 * d1 - q3 * d2 + q2 * d3),
            2 * (-q2 * d0 + q3 * d1 + q0 * d2 - q1 * d3),
            2 * (-q3 * d0 - q2 * d1 + q1 * d2 + q0 * d3),
        )

    def generalised_force(
        self, body: BodySymbols, loads: Sequence[Load], torque: Vec
    ) -> list[Expr]:
        """Resultant force (global axes) and moment about the centre of mass (body axes)."""
        force, moment = zero(), torque
        for load in loads:
            moment = moment + load.arm.cross(load.value)
            if load.translates:
                force = force + load.value
        if all(c == 0 for c in moment):
            return [*force, 0, 0, 0]
        named = body.tape.vector(f"moment_{body.label}", moment)
        return [*force, *(axis.dot(named) for axis in body.axes)]

    def inertia(self, body: BodySymbols, p: Sequence[Expr]) -> list[Expr]:
        """Newton-Euler equations, the rotational ones in body axes."""
        m, tensor = p[0], _tensor(body, p)
        tape, label = body.tape, body.label
        omega = tape.vector(f"omega_{label}", _body_rates(body.q, body.v))
        alpha = tape.vector(f"alpha_{label}", _body_rates(body.q, body.a))
        momentum = tape.vector(f"L_{label}", weighted_products(tensor, omega))
        moments = weighted_products(tensor, alpha) + omega.cross(momentum)
        return [*(m * a for a in body.a[:3]), *moments]

    def kinetic_energy(self, body: BodySymbols, p: Sequence[Expr]) -> Expr:
        """Translational plus rotational energy."""
        omega = body.tape.vector(f"omega_{body.label}", _body_rates(body.q, body.v))
        velocity = Vec.of(body.v[:3])
        return (
            p[0] * velocity.dot(velocity) + omega.dot(weighted_products(_tensor(body, p), omega))
        ) / 2

    def centre_of_mass(self, p: Sequence[Expr]) -> Vec:
        """Local points are measured from the centre of mass."""
        return zero()

    def norms(self, body: BodySymbols) -> list[Expr]:
        """The quaternion has unit length."""
        return [sum(c**2 for c in body.q[3:]) - 1]

    def variables(self, body: BodySymbols) -> dict[str, Expr]:
        """Components of the angular velocity in body axes."""
        rates = _body_rates(body.q, body.v)
        return {f"wb{c}": w for c, w in zip("xyz", rates, strict=True)}


def _tensor(body: BodySymbols, p: Sequence[Expr]) -> Sequence[Expr]:
    return (*p[1:4], 0, 0, 0) if body.structure == "principal" else p[1:]


def _body_rates(q: Sequence[Expr], rate: Sequence[Expr]) -> Vec:
    r"""Return :math:`2 \bar E(q) \dot q`, which also gives accelerations from second rates."""
    q0, q1, q2, q3 = q[3:]
    d0, d1, d2, d3 = rate[3:]
    return Vec(
        2 * (-q1 * d0 + q0 * d1 + q3 * d2 - q2 * d3),
        2 * (-q2 * d0 - q3 * d1 + q0 * d2 + q1 * d3),
        2 * (-q3 * d0 + q2 * d1 - q1 * d2 + q0 * d3),
    )
