"""Body kinds: base class; coordinates, equations of motion and frames of a body.

To add a body kind write one file in this folder with one subclass; it is discovered automatically.
"""

from abc import abstractmethod
from collections.abc import Mapping, Sequence

from mbdgen.errors import BuildError
from mbdgen.geometry.frames import BodySymbols, Frame, Glide, Load
from mbdgen.geometry.symbolic_vectors import Expr, Vec, zero
from mbdgen.language.bodies.coordinates import Coordinates


class BodyKind(Coordinates):
    """A set of coordinates for a rigid body, with its equations.

    Everything but equations (names of coordinates and rows, inertia parameters, initial state) is
    defined by `mbdgen.language.bodies.coordinates.Coordinates`.
    """

    @abstractmethod
    def origin(self, body: BodySymbols) -> Vec:
        """Return the global position of the origin of local points."""

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
        """Return a frame of the body; `place` contains the data of its marker from `place_of`."""
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
        """Return a frame moving along the body, on one of its pieces."""
        raise BuildError(
            f"places cannot move along bodies of '{self.name}' coordinates.",
            "Use a beam, or a curve that is fixed in the body.",
        )

    def shift(self, body: BodySymbols, p: Sequence[Expr]) -> Vec:
        """Return the displacement of the centre of mass due to deformation, in body axes."""
        return zero()

    def strain_energy(self, body: BodySymbols, p: Sequence[Expr]) -> Expr:
        """Return its strain energy."""
        return 0

    def dissipation(self, body: BodySymbols, p: Sequence[Expr]) -> Expr:
        """Return Rayleigh's dissipation function of its deformation rates: half the lost power."""
        return 0

    def mass(self, p: Sequence[Expr]) -> Expr:
        """Return the mass, by convention the first parameter."""
        return p[0]

    def constraints(self, body: BodySymbols, p: Sequence[Expr]) -> list[Expr]:
        """Return intrinsic constraints that need multipliers (a rigid length)."""
        return []

    def norms(self, body: BodySymbols) -> list[Expr]:
        """Return normalisation conditions on coordinates: no work, no Lagrange multipliers."""
        return []

    def displacement_rates(self, body: BodySymbols) -> list[Expr]:
        """Return ``du/dt`` of every row as linear functions of ``dq/dt``.

        In general they are not the rates of the coordinates in their order, except for unit vectors
        (`unit_blocks`), whose displacements are known.
        """
        return []

    def switched(self, body: BodySymbols) -> list[Expr]:
        """Return the data for a chart switch, away from a singularity of the orientation.

        This is the rotation matrix by columns if the kind's `attitude` is rebased, else the other
        parameters of the same orientation.
        """
        return []

    def variables(self, body: BodySymbols) -> dict[str, Expr]:
        """Return named scalars of the body for outputs, such as the angle of a planar body."""
        return {}


def weighted_products(tensor: Sequence[Expr], w: Vec) -> Vec:
    """Return ``I w`` for a symmetric tensor given as (xx, yy, zz, xy, xz, yz)."""
    xx, yy, zz, xy, xz, yz = tensor
    return Vec(
        xx * w[0] + xy * w[1] + xz * w[2],
        xy * w[0] + yy * w[1] + yz * w[2],
        xz * w[0] + yz * w[1] + zz * w[2],
    )
