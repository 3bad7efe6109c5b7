r"""Point mass: three coordinates, no orientation. Equation: :math:`m \ddot r = F`."""

from collections.abc import Sequence

from mbdgen.bodies.base import BodyKind
from mbdgen.errors import ModelError
from mbdgen.kinematics.frames import BodySymbols, Load
from mbdgen.kinematics.vectors import Expr, Vec, zero
from mbdgen.language.pose import Motion
from mbdgen.language.scalars import Scalar


class PointMass(BodyKind):
    """Position (x, y, z)."""

    name = "point"
    coordinates = ("x", "y", "z")
    rows = ("force x", "force y", "force z")
    parameters = ("m",)
    turns = False

    def columns(self, motion: Motion) -> Sequence[Scalar]:
        """The mass."""
        return (motion.mass,)

    def initial(self, motion: Motion) -> tuple[Sequence[Scalar], Sequence[Scalar]]:
        """Return position and velocity."""
        return tuple(motion.position), tuple(motion.velocity)

    def local_point(self, point: Sequence[Scalar], motion: Motion) -> Sequence[Scalar]:
        """A point mass has no other point than itself."""
        if any(c != 0 for c in point):
            raise ModelError(
                f"Body '{motion.name}' is a point mass, but a point {tuple(point)} away from it "
                f"was asked for.",
                "Use (0, 0, 0), or a body with an inertia.",
            )
        return point

    def origin(self, body: BodySymbols) -> Vec:
        """The point itself."""
        return Vec.of(body.q)

    def axes(self, body: BodySymbols) -> tuple[Vec, Vec, Vec]:
        """Global axes: a point mass never turns (used for points only)."""
        return Vec(1, 0, 0), Vec(0, 1, 0), Vec(0, 0, 1)

    def angular_velocity(self, body: BodySymbols) -> Vec:
        """None."""
        return zero()

    def generalised_force(
        self, body: BodySymbols, loads: Sequence[Load], torque: Vec
    ) -> list[Expr]:
        """Resultant force."""
        force = zero()
        for load in loads:
            force = force + load.value
        return list(force)

    def inertia(self, body: BodySymbols, p: Sequence[Expr]) -> list[Expr]:
        """Mass times acceleration."""
        return [p[0] * a for a in body.a]

    def kinetic_energy(self, body: BodySymbols, p: Sequence[Expr]) -> Expr:
        """Translational energy."""
        return p[0] * sum(v**2 for v in body.v) / 2

    def centre_of_mass(self, p: Sequence[Expr]) -> Vec:
        """The point itself."""
        return zero()
