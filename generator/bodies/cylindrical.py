r"""Point mass in cylindrical coordinates: :math:`m (\ddot r - r \dot\varphi^2) = F_r`, ..."""

from collections.abc import Sequence

from mbdgen.bodies.particle import Particle, resultant
from mbdgen.errors import ModelError
from mbdgen.geometry.frames import BodySymbols, Load
from mbdgen.geometry.functions import cos, sin
from mbdgen.geometry.symbolic_vectors import Expr, Vec
from mbdgen.language.bodies.pose import Motion
from mbdgen.language.expressions.scalars import Scalar, atan2, is_number, sqrt

SMALLEST = 1e-9
"""Smallest initial distance from the z axis (coordinate singularity), in metres."""


class Cylindrical(Particle):
    """Distance r from the global z axis, angle phi about it, and height z of a point mass."""

    name = "cylindrical"
    coordinates = ("r", "phi", "z")
    rows = ("force r", "moment z", "force z")

    def initial(self, motion: Motion) -> tuple[Sequence[Scalar], Sequence[Scalar]]:
        """Return coordinates and rates of the initial position and velocity."""
        (x, y, z), (vx, vy, vz) = motion.position, motion.velocity
        r = sqrt(x**2 + y**2)
        if is_number(r) and r < SMALLEST:
            raise ModelError(
                f"Body '{motion.name}' has cylindrical coordinates but starts on the z axis, "
                f"where r = 0 and the angle phi is undefined.",
                "Move its position off the z axis, or use coordinates='point'.",
            )
        return (r, atan2(y, x), z), ((x * vx + y * vy) / r, (x * vy - y * vx) / r**2, vz)

    def origin(self, body: BodySymbols) -> Vec:
        """The point itself."""
        r, phi, z = body.q
        return Vec(r * cos(phi), r * sin(phi), z)

    def generalised_force(
        self, body: BodySymbols, loads: Sequence[Load], torque: Vec
    ) -> list[Expr]:
        """Radial component, moment about the z axis and axial component of the resultant."""
        r, phi, _ = body.q
        force = resultant(loads)
        c, s = cos(phi), sin(phi)
        return [force[0] * c + force[1] * s, r * (force[1] * c - force[0] * s), force[2]]

    def inertia(self, body: BodySymbols, p: Sequence[Expr]) -> list[Expr]:
        """Radial, angular-momentum rate about z, axial."""
        m, r = p[0], body.q[0]
        turning = body.v[1]
        return [
            m * (body.a[0] - r * turning**2),
            m * r * (r * body.a[1] + 2 * body.v[0] * turning),
            m * body.a[2],
        ]

    def kinetic_energy(self, body: BodySymbols, p: Sequence[Expr]) -> Expr:
        """Translational energy."""
        vr, turning, vz = body.v
        return p[0] * (vr**2 + (body.q[0] * turning) ** 2 + vz**2) / 2
