r"""Newton-Euler equations of spatial rigid bodies with any rotation parameters.

.. math::
    m \ddot r = F, \qquad \bar I \dot{\bar\omega} + \bar\omega \times \bar I \bar\omega = \bar\tau

The first three coordinates are the position of the centre of mass. Force rows are in global axes,
moment rows in body axes (there the inertia is constant).
"""

from abc import abstractmethod
from collections.abc import Sequence
from typing import ClassVar

from mbdgen.bodies.base import BodyKind, weighted_products
from mbdgen.geometry.frames import BodySymbols, Load
from mbdgen.geometry.symbolic_vectors import Expr, Vec, zero
from mbdgen.language.bodies.pose import Motion
from mbdgen.language.expressions.scalars import Scalar


class RigidBody(BodyKind):
    """Centre of mass and some orientation."""

    rows = ("force x", "force y", "force z", "moment 1", "moment 2", "moment 3")
    parameters: ClassVar[tuple[str, ...]] = ("m", "I_11", "I_22", "I_33", "I_12", "I_13", "I_23")
    spatial = True

    @abstractmethod
    def rates_in_body(self, body: BodySymbols) -> Vec:
        """Return the angular velocity in body axes."""

    @abstractmethod
    def accelerations_in_body(self, body: BodySymbols) -> Vec:
        """Return the angular acceleration in body axes."""

    def columns(self, motion: Motion) -> Sequence[Scalar]:
        """Mass and inertia tensor about the centre of mass in body axes."""
        i = motion.inertia
        return (motion.mass, i[0][0], i[1][1], i[2][2], i[0][1], i[0][2], i[1][2])

    def structure(self, motion: Motion) -> str:
        """Return the variant of the equations: simpler ones for principal body axes."""
        return "principal" if motion.principal else ""

    def origin(self, body: BodySymbols) -> Vec:
        """Centre of mass."""
        return Vec.of(body.q[:3])

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
        omega = tape.vector(f"omega_{label}", self.rates_in_body(body))
        alpha = tape.vector(f"alpha_{label}", self.accelerations_in_body(body))
        momentum = tape.vector(f"L_{label}", weighted_products(tensor, omega))
        moments = weighted_products(tensor, alpha) + omega.cross(momentum)
        return [*(m * a for a in body.a[:3]), *moments]

    def kinetic_energy(self, body: BodySymbols, p: Sequence[Expr]) -> Expr:
        """Translational plus rotational energy."""
        omega = body.tape.vector(f"omega_{body.label}", self.rates_in_body(body))
        velocity = Vec.of(body.v[:3])
        return (
            p[0] * velocity.dot(velocity) + omega.dot(weighted_products(_tensor(body, p), omega))
        ) / 2

    def centre_of_mass(self, p: Sequence[Expr]) -> Vec:
        """Local points are relative to the centre of mass."""
        return zero()

    def variables(self, body: BodySymbols) -> dict[str, Expr]:
        """Components of the angular velocity in body axes."""
        rates = self.rates_in_body(body)
        return {f"wb{c}": w for c, w in zip("xyz", rates, strict=True)}


def _tensor(body: BodySymbols, p: Sequence[Expr]) -> Sequence[Expr]:
    return (*p[1:4], 0, 0, 0) if body.structure == "principal" else p[1:7]
