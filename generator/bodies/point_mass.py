r"""Point mass: three coordinates, no orientation. Equation: :math:`m \ddot r = F`."""

from collections.abc import Sequence

from mbdgen.bodies.particle import Particle, resultant
from mbdgen.geometry.frames import BodySymbols, Load
from mbdgen.geometry.symbolic_vectors import Expr, Vec
from mbdgen.language.bodies.coordinates import CoordinateBlock
from mbdgen.language.bodies.pose import Motion
from mbdgen.language.expressions.scalars import Scalar


class PointMass(Particle):
    """Position (x, y, z)."""

    name = "point"
    linear = True
    coordinates = ("x", "y", "z")
    blocks = (CoordinateBlock("P", 3, "point"),)
    rows = ("force x", "force y", "force z")

    def initial(self, motion: Motion) -> tuple[Sequence[Scalar], Sequence[Scalar]]:
        """Return position and velocity."""
        return tuple(motion.position), tuple(motion.velocity)

    def origin(self, body: BodySymbols) -> Vec:
        """The point itself."""
        return Vec.of(body.q)

    def generalised_force(
        self, body: BodySymbols, loads: Sequence[Load], torque: Vec
    ) -> list[Expr]:
        """Resultant force."""
        return list(resultant(loads))

    def inertia(self, body: BodySymbols, p: Sequence[Expr]) -> list[Expr]:
        """Mass times acceleration."""
        return [p[0] * a for a in body.a]

    def kinetic_energy(self, body: BodySymbols, p: Sequence[Expr]) -> Expr:
        """Translational energy."""
        return p[0] * sum(v**2 for v in body.v) / 2
