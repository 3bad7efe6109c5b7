"""What a body kind states, and nothing else about it is known anywhere.

To add a body kind write one file in this folder with one subclass; it is found by itself.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import ClassVar

from mbdgen.language.pose import Motion
from mbdgen.language.scalars import Scalar
from mbdgen.symbolic.frames import BodySymbols, Load
from mbdgen.symbolic.vectors import Expr, Vec


class BodyKind(ABC):
    """A set of coordinates for a rigid body.

    The equations are written in virtual displacements ``du`` (``n_u`` of them) with
    ``dq = T(q) du``; ``T`` is the identity where ``n_u`` equals the number of coordinates.
    """

    name: ClassVar[str]
    coordinates: ClassVar[tuple[str, ...]]
    rows: ClassVar[tuple[str, ...]]  # names of the dynamics rows, one for each virtual displacement
    parameters: ClassVar[tuple[str, ...]]  # names of the columns that `columns` fills
    unit_blocks: ClassVar[tuple[tuple[int, int], ...]] = ()  # (start, length) of unit vectors
    turns: ClassVar[bool] = True  # whether it has axes
    planar: ClassVar[bool] = False  # whether it stays in a plane z = constant

    @property
    def n_q(self) -> int:
        """Number of coordinates."""
        return len(self.coordinates)

    @property
    def n_u(self) -> int:
        """Number of virtual displacements, and of dynamics rows."""
        return len(self.rows)

    # --- description: numbers and expressions of named parameters -------------------------------

    @abstractmethod
    def columns(self, motion: Motion) -> Sequence[Scalar]:
        """Return the parameters of the inertia, in the order of `parameters`."""

    @abstractmethod
    def initial(self, motion: Motion) -> tuple[Sequence[Scalar], Sequence[Scalar]]:
        """Return initial coordinates and their rates from the initial pose and twist."""

    def structure(self, motion: Motion) -> str:
        """Return what distinguishes variants of this kind that need different equations."""
        return ""

    def local_point(self, point: Sequence[Scalar], motion: Motion) -> Sequence[Scalar]:
        """Return a point given from the body's reference point as the equations want it."""
        com = motion.centre_of_mass
        return [p - c for p, c in zip(point, com, strict=True)]

    # --- equations -------------------------------------------------------------------------------

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

    def mass(self, p: Sequence[Expr]) -> Expr:
        """Return the mass, by convention the first parameter."""
        return p[0]

    def constraints(self, body: BodySymbols, p: Sequence[Expr]) -> list[Expr]:
        """Return intrinsic constraints that need multipliers (a rigid length)."""
        return []

    def norms(self, body: BodySymbols) -> list[Expr]:
        """Return conditions on the coordinates that do no work and need no multiplier."""
        return []

    def variables(self, body: BodySymbols) -> dict[str, Expr]:
        """Return scalars of the body that outputs may name, such as the angle of a planar body."""
        return {}


def row_names(kind: BodyKind) -> tuple[str, ...]:
    """Return the names of all rows of a body: dynamics rows, then norm rows."""
    norms = kind.n_q - kind.n_u
    return (*kind.rows, *(["norm"] if norms == 1 else [f"norm {k}" for k in range(norms)]))


def weighted_products(tensor: Sequence[Expr], w: Vec) -> Vec:
    """Return ``I w`` for a symmetric tensor given as (xx, yy, zz, xy, xz, yz)."""
    xx, yy, zz, xy, xz, yz = tensor
    return Vec(
        xx * w[0] + xy * w[1] + xz * w[2],
        xy * w[0] + yy * w[1] + yz * w[2],
        xz * w[0] + yz * w[1] + zz * w[2],
    )
