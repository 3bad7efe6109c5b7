"""What a body kind states, and nothing else about it is known anywhere.

To add a body kind write one file in this folder with one subclass; it is found by itself.
"""

from abc import abstractmethod
from collections.abc import Mapping, Sequence

from mbdgen.errors import BuildError
from mbdgen.geometry.frames import BodySymbols, Frame, Glide, Load
from mbdgen.geometry.symbolic_vectors import Expr, Vec, zero
from mbdgen.language.bodies.coordinates import Coordinates


class BodyKind(Coordinates):
    """A set of coordinates for a rigid body, with its equations.

    What can be said without equations (names of coordinates and rows, numbers of the inertia,
    initial state) is stated by the members of `mbdgen.language.bodies.coordinates.Coordinates`.
    """

    @abstractmethod
    def origin(self, body: BodySymbols) -> Vec:
        """Return the position from which local points are measured."""

    @abstractmethod
    def axes(self, body: BodySymbols) -> tuple[Vec, Vec, Vec]:
        """Return the body axes in global components."""

    @abstractmethod
    def angular_velocity(self, body: BodySymbols) -> Vec:
        """Return the angular velocity in global components."""

    @abstractmethod
    def generalised_force(
        self, body: BodySymbols, loads: Sequence[Load], torque: Vec
    ) -> list[Expr]:
        """Return the generalised forces (one for each row) of loads and of a global torque."""

    @abstractmethod
    def inertia(self, body: BodySymbols, p: Sequence[Expr]) -> list[Expr]:
        """Return the inertia side of the dynamics rows, ``M a`` minus velocity-quadratic terms."""

    @abstractmethod
    def kinetic_energy(self, body: BodySymbols, p: Sequence[Expr]) -> Expr:
        """Return the kinetic energy."""

    @abstractmethod
    def centre_of_mass(self, p: Sequence[Expr]) -> Vec:
        """Return the local components of the centre of mass (gravity acts there)."""

    def frame(
        self,
        label: str,
        body: BodySymbols,
        point: Vec,
        local_axes: tuple[Vec, Vec, Vec],
        place: Mapping[str, Expr],
    ) -> Frame:
        """Return a frame of the body; `place` has what `place_of` says of its marker."""
        return Frame(label, body, point, local_axes, body.tape)

    def gliding_frame(
        self,
        label: str,
        body: BodySymbols,
        point: Vec,
        local_axes: tuple[Vec, Vec, Vec],
        place: Mapping[str, Expr],
        glide: Glide,
    ) -> Frame:
        """Return a frame that moves along the body, on one of its pieces."""
        raise BuildError(
            f"places cannot move along bodies of '{self.name}' coordinates.",
            "Use a beam, or a curve that is fixed in the body.",
        )

    def shift(self, body: BodySymbols, p: Sequence[Expr]) -> Vec:
        """Return how far its deformation moves the centre of mass, in body axes."""
        return zero()

    def strain_energy(self, body: BodySymbols, p: Sequence[Expr]) -> Expr:
        """Return the energy of its deformation."""
        return 0

    def dissipation(self, body: BodySymbols, p: Sequence[Expr]) -> Expr:
        """Return Rayleigh's function of the rates of its deformation: half of the lost power."""
        return 0

    def mass(self, p: Sequence[Expr]) -> Expr:
        """Return the mass, by convention the first parameter."""
        return p[0]

    def constraints(self, body: BodySymbols, p: Sequence[Expr]) -> list[Expr]:
        """Return intrinsic constraints that need multipliers (a rigid length)."""
        return []

    def norms(self, body: BodySymbols) -> list[Expr]:
        """Return conditions on the coordinates that do no work and need no multiplier."""
        return []

    def displacement_rates(self, body: BodySymbols) -> list[Expr]:
        """Return ``du/dt`` of every row as linear functions of ``dq/dt``.

        Nothing says that they are the rates of the coordinates in their order, but for unit
        vectors (`unit_blocks`), whose displacements are known.
        """
        return []

    def switched(self, body: BodySymbols) -> list[Expr]:
        """Return what a run needs to leave the place where its orientation fails.

        That is the rotation matrix by columns if the kind's `attitude` is rebased, else the other
        numbers of the same orientation.
        """
        return []

    def variables(self, body: BodySymbols) -> dict[str, Expr]:
        """Return scalars of the body that outputs may name, such as the angle of a planar body."""
        return {}


def weighted_products(tensor: Sequence[Expr], w: Vec) -> Vec:
    """Return ``I w`` for a symmetric tensor given as (xx, yy, zz, xy, xz, yz)."""
    xx, yy, zz, xy, xz, yz = tensor
    return Vec(
        xx * w[0] + xy * w[1] + xz * w[2],
        xy * w[0] + yy * w[1] + yz * w[2],
        xz * w[0] + yz * w[1] + zz * w[2],
    )
