"""Generalised coordinates of a body kind: names, sizes, initial values; no equations."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from mbdgen.errors import MbdgenError, ModelError
from mbdgen.language.bodies.pose import Motion
from mbdgen.language.expressions.runtime_values import Changing
from mbdgen.language.expressions.scalars import Scalar
from mbdgen.returned import expressions, wrong
from mbdgen.usable import file_of, raised_at, title


@dataclass(frozen=True)
class UnitQuaternion:
    """Indices of the unit quaternion (scalar first) of a body kind, and of its rows.

    Indices are relative to the first coordinate of the body, which is also its first row.

    Attributes
    ----------
    coordinates : int
        First of the four coordinates.
    moments : int
        First of the three dynamics rows that are moments about the body axes.
    norm : int
        Row of the norm.
    """

    coordinates: int
    moments: int
    norm: int


@dataclass(frozen=True)
class Attitude:
    """Indices of rotation parameters with a singularity, and the remedy (chart switching).

    Attributes
    ----------
    coordinates : int
        Index of the first one among the coordinates of the body.
    home : tuple of float
        Their values farthest from the singularity.
    rebased : bool
        Whether the body has a base rotation, entries of a rotation matrix among the parameters
        (`BaseEntry`), that a run may switch; otherwise there are other parameters for every
        orientation.
    """

    coordinates: int
    home: tuple[float, ...]
    rebased: bool


@dataclass(frozen=True)
class CoordinateBlock:
    """Coordinates that belong together: those of a point or of a vector.

    Attributes
    ----------
    name : str
        Its name in the body.
    size : int
        How many coordinates it has.
    what : str
        What they are: ``point``, ``vector``, ``slope`` (a vector of a flexible body), or nothing
        that other bodies could have too.
    """

    name: str
    size: int
    what: str = ""


class BaseEntry(Changing):
    """An entry of the base of a body, counted by columns."""

    body: str
    entry: int

    @classmethod
    def of(cls, body: str, entry: int, value: float) -> "BaseEntry":
        """Return the entry with the index of the coordinate it belongs to."""
        made = cls(value)
        made.body, made.entry = body, entry
        return made

    def __repr__(self) -> str:
        return f"base {self.entry} of {self.body} = {float(self)!r}"


class Coordinates(ABC):
    """The description half of a body kind; `mbdgen.bodies.base.BodyKind` adds the equations.

    The equations are written in virtual displacements ``du`` (``n_u`` of them) with
    ``dq = T(q) du``; ``T`` is the identity where ``n_u`` equals the number of coordinates.
    """

    name: ClassVar[str]
    coordinates: ClassVar[tuple[str, ...]]
    rows: ClassVar[tuple[str, ...]]  # names of the dynamics rows, one for each virtual displacement
    parameters: ClassVar[tuple[str, ...]]  # names of the columns that `columns` fills
    unit_blocks: ClassVar[tuple[tuple[int, int], ...]] = ()  # (start, length) of unit vectors
    quaternion: ClassVar[UnitQuaternion | None] = None  # joints may give it: see `placed`
    position: ClassVar[tuple[int, ...]] = ()  # coordinates (and force rows) of the origin: x, y, z
    angle: ClassVar[int | None] = None  # coordinate (and moment row) of the angle about z
    attitude: ClassVar[Attitude | None] = None  # coordinates with singularities
    is_body: ClassVar[bool] = True  # whether it has a position; others are scalar unknowns
    spatial: ClassVar[bool] = False  # whether it is a rigid body of any position and orientation
    turns: ClassVar[bool] = True  # whether it has axes
    planar: ClassVar[bool] = False  # whether it stays in a plane z = constant
    blocks: ClassVar[tuple[CoordinateBlock, ...]] = ()  # coordinates that other bodies may share
    points: ClassVar[int] = 0  # basic points that a user may choose
    vectors: ClassVar[int] = 0  # basic vectors that a user may choose
    flexible: ClassVar[bool] = False  # whether its points move against each other
    direct: ClassVar[bool] = False
    """Whether its virtual displacements are changes of its coordinates, by which what acts on its
    frames is differentiated then."""
    linear: ClassVar[bool] = False  # whether its points, and axes if any, are linear in them
    numbers: ClassVar[tuple[str, ...]] = ()  # of a section of a beam, see `beam_numbers`
    modified: ClassVar[bool] = False  # whether factors of stiffnesses may be given
    quadrature: ClassVar[int] = 0  # points along it where `integrals` are evaluated
    deformations: ClassVar[int] = 0
    """How many coordinates, its first, deform it: what acts on its frames is differentiated by
    them, and the others move it like a rigid body."""
    arcs: ClassVar[float] = 0.0  # length^2/(radius height) up to which a curved element is soft
    instead: ClassVar[str] = ""  # kind for longer ones
    in_space: ClassVar[str] = ""  # kind of the same sort for bodies described in space

    @property
    def n_q(self) -> int:
        """Number of coordinates."""
        return len(self.coordinates)

    @property
    def n_u(self) -> int:
        """Number of virtual displacements, and of dynamics rows."""
        return len(self.rows)

    @property
    def all_rows(self) -> tuple[str, ...]:
        """Names of all rows: dynamics rows, then norm rows."""
        norms = self.n_q - self.n_u
        return (*self.rows, *(["norm"] if norms == 1 else [f"norm {k}" for k in range(norms)]))

    @property
    def placed(self) -> bool:
        """Whether a joint can give its coordinates: those of a point and of an orientation."""
        spatial = self.quaternion is not None and len(self.position) == 3
        return spatial or (self.angle is not None and len(self.position) == 2)

    @abstractmethod
    def columns(self, motion: Motion) -> Sequence[Scalar]:
        """Return the parameters of the inertia, in the order of `parameters`."""

    @abstractmethod
    def initial(self, motion: Motion) -> tuple[Sequence[Scalar], Sequence[Scalar]]:
        """Return initial coordinates and their rates from the initial pose and twist."""

    def structure(self, motion: Motion) -> str:
        """Return what distinguishes variants of this kind that need different equations."""
        return ""

    def integrals(self) -> Sequence[Any]:
        """Return the elements that it states per length, with one end: itself."""
        return ()

    def measured_units(self) -> Mapping[str, str]:
        """Return the quantities known at a section besides its position, with units."""
        return {}

    def known(self, structure: str) -> Mapping[str, int]:
        """Return the `parameters` whose values belong to the structure."""
        return {}

    def conditions(self, motion: Motion) -> Sequence[frozenset[frozenset[int]]]:
        """Return what every condition of its own is about, in the order of `constraints`.

        Two bodies that have the blocks of a condition in common need it once. A condition is on
        one arm or on two: each is a vector, or leads from point to point.
        """
        return ()

    @property
    def block_sizes(self) -> tuple[int, ...]:
        """Block sizes of the coordinates; one block of all if there are none."""
        return tuple(block.size for block in self.blocks) or (self.n_q,)

    def place_of(self, marker: Any) -> Mapping[str, Scalar]:
        """Return the values by name that a marker's position has besides its point."""
        return {}

    def misses(self, point: Sequence[Scalar], motion: Motion, known: Mapping[Any, float]) -> str:
        """Describe how a point, given from the reference point, is off the body, if it is."""
        return ""

    def local_point(self, point: Sequence[Scalar], motion: Motion) -> Sequence[Scalar]:
        """Return a point given from the body's reference point as the equations want it."""
        com = motion.centre_of_mass
        return [p - c for p, c in zip(point, com, strict=True)]


def columns_of(kind: Coordinates, motion: Motion) -> list[Scalar]:
    """Return the parameters of the inertia of a body, one for each name in `parameters`."""
    stated = _asked(kind, "columns", motion)
    return expressions(kind, "columns", stated, len(kind.parameters))


def initial_of(kind: Coordinates, motion: Motion) -> tuple[Sequence[Scalar], Sequence[Scalar]]:
    """Return initial coordinates and rates of a body, one for each coordinate."""
    stated = _asked(kind, "initial", motion)
    if not isinstance(stated, tuple | list) or len(stated) != 2:
        raise wrong(kind, "initial", stated, "two lists: coordinates and rates")
    for part in stated:
        expressions(kind, "initial", part, kind.n_q)
    q, v = stated
    return q, v


def _asked(kind: Coordinates, method: str, motion: Motion) -> Any:
    try:
        return getattr(kind, method)(motion)
    except MbdgenError:
        raise
    except Exception as error:  # a user's own class may raise anything
        location = raised_at(error, file_of(type(kind))) or title(type(kind))
        raise ModelError(
            f"Body '{motion.name}': {method} stopped with {type(error).__name__}: {error} "
            f"({location}).",
            "Mend the class; an initial value may be a number or an expression of parameters.",
        ) from error
