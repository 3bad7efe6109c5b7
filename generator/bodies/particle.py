"""Point masses in any coordinates: a mass, one point, and no orientation."""

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
        """Reject points other than the point mass itself."""
        if any(c != 0 for c in point):
            raise ModelError(
                f"Body '{motion.name}' is a point mass, but a point {tuple(point)} away from it "
                f"was asked for.",
                "Use (0, 0, 0), or a body with an inertia.",
            )
        return point

    def axes(self, body: BodySymbols) -> tuple[Vec, Vec, Vec]:
        """Global axes: a point mass has no rotation (used for points only)."""
        return Vec(1, 0, 0), Vec(0, 1, 0), Vec(0, 0, 1)

    def angular_velocity(self, body: BodySymbols) -> Vec:
        """Zero angular velocity."""
        return zero()

    def centre_of_mass(self, p: Sequence[Expr]) -> Vec:
        """The point itself."""
        return zero()


def resultant(loads: Sequence[Load]) -> Vec:
    """Return the resultant force at the point."""
    force = zero()
    for load in loads:
        force = force + load.value
    return force
