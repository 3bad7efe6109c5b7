r"""Auxiliary coordinate s, usually without mass. Equation: :math:`m \ddot s = F`."""

from collections.abc import Sequence

from mbdgen.bodies.particle import Particle, resultant
from mbdgen.geometry.frames import BodySymbols, Load
from mbdgen.geometry.symbolic_vectors import Expr, Vec
from mbdgen.language.bodies.pose import Motion
from mbdgen.language.expressions.scalars import Scalar


class Auxiliary(Particle):
    """An auxiliary coordinate s: a curve parameter, or an angle over many revolutions.

    In equations it is a point at (s, 0, 0): constraints and potentials of its x act on it as on any
    other point. Without mass its row is an equilibrium of these loads.
    """

    name = "auxiliary"
    coordinates = ("s",)
    rows = ("balance of s",)
    planar = True
    is_body = False

    def initial(self, motion: Motion) -> tuple[Sequence[Scalar], Sequence[Scalar]]:
        """Return the coordinate and its rate."""
        return (motion.position[0],), (motion.velocity[0],)

    def origin(self, body: BodySymbols) -> Vec:
        """The coordinate as a position on the x axis."""
        return Vec(body.q[0], 0, 0)

    def generalised_force(
        self, body: BodySymbols, loads: Sequence[Load], torque: Vec
    ) -> list[Expr]:
        """Generalised force conjugate to the coordinate."""
        return [resultant(loads)[0]]

    def inertia(self, body: BodySymbols, p: Sequence[Expr]) -> list[Expr]:
        """Mass times acceleration."""
        return [p[0] * body.a[0]]

    def kinetic_energy(self, body: BodySymbols, p: Sequence[Expr]) -> Expr:
        """Kinetic energy of a point on a line."""
        return p[0] * body.v[0] ** 2 / 2

    def variables(self, body: BodySymbols) -> dict[str, Expr]:
        """The coordinate and its rate."""
        return {"number": body.q[0], "rate": body.v[0]}
