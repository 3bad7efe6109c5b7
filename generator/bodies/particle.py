"""What point masses in any coordinates have in common: a mass, one point, and no orientation."""

from collections.abc import Sequence

from mbdgen.bodies.base import BodyKind
from mbdgen.errors import ModelError
from mbdgen.geometry.frames import BodySymbols, Load
from mbdgen.geometry.symbolic_vectors import Expr, Vec, zero
from mbdgen.language.bodies.pose import Motion
from mbdgen.language.expressions.scalars import Scalar


class Particle(BodyKind):
    """Base of point masses."""

    parameters = ("m",)
    turns = False

    def columns(self, motion: Motion) -> Sequence[Scalar]:
        """The mass."""
        return (motion.mass,)

    def local_point(self, point: Sequence[Scalar], motion: Motion) -> Sequence[Scalar]:
        """A point mass has no other point than itself."""
        if any(c != 0 for c in point):
            raise ModelError(
                f"Body '{motion.name}' is a point mass, but a point {tuple(point)} away from it "
                f"was asked for.",
                "Use (0, 0, 0), or a body with an inertia.",
            )
        return point

    def axes(self, body: BodySymbols) -> tuple[Vec, Vec, Vec]:
        """Global axes: a point mass never turns (used for points only)."""
        return Vec(1, 0, 0), Vec(0, 1, 0), Vec(0, 0, 1)

    def angular_velocity(self, body: BodySymbols) -> Vec:
        """None."""
        return zero()

    def centre_of_mass(self, p: Sequence[Expr]) -> Vec:
        """The point itself."""
        return zero()


def resultant(loads: Sequence[Load]) -> Vec:
    """Return the sum of forces at the only point there is."""
    force = zero()
    for load in loads:
        force = force + load.value
    return force
