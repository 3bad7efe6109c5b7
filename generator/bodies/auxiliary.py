r"""A number of its own: one coordinate s, usually without mass. Equation: :math:`m \ddot s = F`."""

from collections.abc import Sequence

from mbdgen.bodies.particle import Particle, resultant
from mbdgen.geometry.frames import BodySymbols, Load
from mbdgen.geometry.symbolic_vectors import Expr, Vec
from mbdgen.language.bodies.pose import Motion
from mbdgen.language.expressions.scalars import Scalar


class Auxiliary(Particle):
    """A number s that no body has: the parameter of a curve, an angle over many turns.

    To equations it is a point at (s, 0, 0): constraints and potentials of its x act on it like on
    any other point. Without mass its row says that these loads are in balance.
    """

    name = "auxiliary"
    coordinates = ("s",)
    rows = ("balance of s",)
    planar = True
    is_body = False

    def initial(self, motion: Motion) -> tuple[Sequence[Scalar], Sequence[Scalar]]:
        """Return the number and its rate."""
        return (motion.position[0],), (motion.velocity[0],)

    def origin(self, body: BodySymbols) -> Vec:
        """The number as a position on the x axis."""
        return Vec(body.q[0], 0, 0)

    def generalised_force(
        self, body: BodySymbols, loads: Sequence[Load], torque: Vec
    ) -> list[Expr]:
        """What is conjugate to the number."""
        return [resultant(loads)[0]]

    def inertia(self, body: BodySymbols, p: Sequence[Expr]) -> list[Expr]:
        """Mass times second rate."""
        return [p[0] * body.a[0]]

    def kinetic_energy(self, body: BodySymbols, p: Sequence[Expr]) -> Expr:
        """As of a point on a line."""
        return p[0] * body.v[0] ** 2 / 2

    def variables(self, body: BodySymbols) -> dict[str, Expr]:
        """The number and its rate."""
        return {"number": body.q[0], "rate": body.v[0]}
