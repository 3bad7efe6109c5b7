r"""Planar rigid body: position of the centre of mass and one angle (three coordinates).

.. math:: m \ddot x = F_x, \quad m \ddot y = F_y, \quad I \ddot\theta = M_z
"""

from collections.abc import Sequence

from mbdgen.bodies.base import BodyKind
from mbdgen.geometry.frames import BodySymbols, Load
from mbdgen.geometry.functions import cos, sin
from mbdgen.geometry.symbolic_vectors import Expr, Vec, zero
from mbdgen.language.bodies.pose import Motion
from mbdgen.language.expressions.scalars import Scalar


class Planar(BodyKind):
    """Centre of mass (x, y) and angle theta of the body's x axis, counter-clockwise about z."""

    name = "planar"
    coordinates = ("x", "y", "theta")
    rows = ("force x", "force y", "moment z")
    parameters = ("m", "I")
    planar = True
    position = (0, 1)
    angle = 2

    def columns(self, motion: Motion) -> Sequence[Scalar]:
        """Mass and moment of inertia about the centre of mass."""
        return (motion.mass, motion.inertia[2][2])

    def initial(self, motion: Motion) -> tuple[Sequence[Scalar], Sequence[Scalar]]:
        """Return the pose and twist of the centre of mass."""
        x, y, _ = motion.global_point(motion.centre_of_mass)
        vx, vy, _ = motion.point_velocity(motion.centre_of_mass)
        return (x, y, motion.plane_angle()), (vx, vy, motion.angular_velocity[2])

    def origin(self, body: BodySymbols) -> Vec:
        """Centre of mass."""
        return Vec(body.q[-3], body.q[-2], 0)

    def axes(self, body: BodySymbols) -> tuple[Vec, Vec, Vec]:
        """Axes rotated by theta about z."""
        theta, label = body.q[-1], body.label
        c = body.tape.name(f"cos_{label}", cos(theta))
        s = body.tape.name(f"sin_{label}", sin(theta))
        return Vec(c, s, 0), Vec(-s, c, 0), Vec(0, 0, 1)

    def angular_velocity(self, body: BodySymbols) -> Vec:
        """Angular velocity about z."""
        return Vec(0, 0, body.v[-1])

    def generalised_force(
        self, body: BodySymbols, loads: Sequence[Load], torque: Vec
    ) -> list[Expr]:
        """Resultant in the plane and moment about the centre of mass."""
        force, moment = zero(), torque[2]
        for load in loads:
            moment = moment + load.arm.cross(load.value)[2]
            if load.translates:
                force = force + load.value
        return [force[0], force[1], moment]

    def inertia(self, body: BodySymbols, p: Sequence[Expr]) -> list[Expr]:
        """Mass times acceleration."""
        m, i = p
        return [m * body.a[0], m * body.a[1], i * body.a[2]]

    def kinetic_energy(self, body: BodySymbols, p: Sequence[Expr]) -> Expr:
        """Translational plus rotational energy."""
        m, i = p
        return (m * (body.v[0] ** 2 + body.v[1] ** 2) + i * body.v[2] ** 2) / 2

    def centre_of_mass(self, p: Sequence[Expr]) -> Vec:
        """Local points are relative to the centre of mass."""
        return zero()

    def variables(self, body: BodySymbols) -> dict[str, Expr]:
        """The angle, not wrapped."""
        return {"angle": body.q[-1], "angle_rate": body.v[-1]}
