r"""Planar rigid body in natural coordinates: two points A and B of the body (four coordinates).

With :math:`u = (r_B - r_A)/L` and :math:`v` = u turned by 90 degrees, a point with local
coordinates (x, y) is :math:`r = r_A + x u + y v`, linear in the coordinates: the mass matrix is
constant. One constraint, :math:`(|r_B - r_A|^2 - L^2)/(2L) = 0`, keeps the length.
"""

from collections.abc import Sequence

from mbdgen.bodies.base import BodyKind
from mbdgen.geometry.frames import BodySymbols, Load
from mbdgen.geometry.vectors import Expr, Vec, zero
from mbdgen.language.pose import Motion
from mbdgen.language.scalars import Scalar


class Natural(BodyKind):
    """Points A (the body's reference point) and B (at distance `length` along its x axis)."""

    name = "natural"
    coordinates = ("xA", "yA", "xB", "yB")
    rows = ("force A x", "force A y", "force B x", "force B y")
    parameters = ("m", "xG", "yG", "I_A", "L")
    planar = True

    def columns(self, motion: Motion) -> Sequence[Scalar]:
        """Mass, centre of mass, moment of inertia about A, distance of the points."""
        x, y, _ = motion.centre_of_mass
        about_a = motion.inertia[2][2] + motion.mass * (x**2 + y**2)
        return (motion.mass, x, y, about_a, motion.length)

    def initial(self, motion: Motion) -> tuple[Sequence[Scalar], Sequence[Scalar]]:
        """Return positions and velocities of A and B."""
        points = ((0, 0, 0), (motion.length, 0, 0))
        q = [c for s in points for c in motion.global_point(s)[:2]]
        v = [c for s in points for c in motion.point_velocity(s)[:2]]
        return q, v

    def local_point(self, point: Sequence[Scalar], motion: Motion) -> Sequence[Scalar]:
        """Local points are measured from A, the reference point."""
        return point

    def origin(self, body: BodySymbols) -> Vec:
        """Point A."""
        return Vec(body.q[0], body.q[1], 0)

    def axes(self, body: BodySymbols) -> tuple[Vec, Vec, Vec]:
        """Unit vector from A to B, its normal, and z."""
        xa, ya, xb, yb = body.q
        length = body.parameter("L")
        ux = body.tape.name(f"u_{body.label}_x", (xb - xa) / length)
        uy = body.tape.name(f"u_{body.label}_y", (yb - ya) / length)
        return Vec(ux, uy, 0), Vec(-uy, ux, 0), Vec(0, 0, 1)

    def angular_velocity(self, body: BodySymbols) -> Vec:
        """Rate of u along its normal."""
        x, _, _ = body.axes
        vxa, vya, vxb, vyb = body.v
        length = body.parameter("L")
        return Vec(0, 0, (x[0] * (vyb - vya) - x[1] * (vxb - vxa)) / length)

    def generalised_force(
        self, body: BodySymbols, loads: Sequence[Load], torque: Vec
    ) -> list[Expr]:
        """Exact pull-back ``C(x, y)^T F`` of every load, and the torque as a couple on A and B."""
        u, _, _ = body.axes
        length = body.parameter("L")
        on_a = zero()
        on_b = Vec(-u[1] * torque[2], u[0] * torque[2], 0)
        for load in loads:
            (x, y, _), f = load.local, load.value
            on_b = on_b + Vec(x * f[0] + y * f[1], x * f[1] - y * f[0], 0)
            if load.translates:
                on_a = on_a + f
        on_b = body.tape.vector(f"couple_{body.label}", on_b / length)
        return [on_a[0] - on_b[0], on_a[1] - on_b[1], on_b[0], on_b[1]]

    def inertia(self, body: BodySymbols, p: Sequence[Expr]) -> list[Expr]:
        """Constant mass matrix times acceleration."""
        return _mass_times(p, body.a)

    def kinetic_energy(self, body: BodySymbols, p: Sequence[Expr]) -> Expr:
        """Half of ``v M v``."""
        return sum(v * x for v, x in zip(body.v, _mass_times(p, body.v), strict=True)) / 2

    def centre_of_mass(self, p: Sequence[Expr]) -> Vec:
        """Measured from A."""
        return Vec(p[1], p[2], 0)

    def constraints(self, body: BodySymbols, p: Sequence[Expr]) -> list[Expr]:
        """A and B keep their distance."""
        xa, ya, xb, yb = body.q
        length = p[4]
        return [((xb - xa) ** 2 + (yb - ya) ** 2 - length**2) / (2 * length)]


def _mass_times(p: Sequence[Expr], a: Sequence[Expr]) -> list[Expr]:
    m, x, y, inertia, length = p
    far = inertia / length**2
    diagonal = m - 2 * m * x / length + far
    mixed, turned = m * x / length - far, m * y / length
    return [
        diagonal * a[0] + mixed * a[2] - turned * a[3],
        diagonal * a[1] + mixed * a[3] + turned * a[2],
        mixed * a[0] + turned * a[1] + far * a[2],
        mixed * a[1] - turned * a[0] + far * a[3],
    ]
