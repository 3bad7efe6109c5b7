"""What a generated module hands to the runtime: names, tables and the pattern, all constant."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mbdgen.runtime.results.scene_figures import Row

FloatArray = NDArray[np.float64]
FloatsLike = Sequence[float] | NDArray[Any]
"""Several numbers, as users give them."""
IntArray = NDArray[np.int64]


def reals(values: object) -> FloatArray:
    """Return the values as compiled code reads them; no copy where they are so already."""
    return np.ascontiguousarray(values, dtype=np.float64)


def integers(values: object) -> IntArray:
    """Return whole numbers as compiled code reads them."""
    return np.ascontiguousarray(values, dtype=np.int64)


@dataclass(frozen=True)
class Names:
    """Names of everything that has an index, in state order.

    Attributes
    ----------
    coordinates : tuple of str
        One per coordinate, for example ``rod.x``.
    multipliers : tuple of str
        One per multiplier, for example ``pin[2]``.
    rows : tuple of str
        One per row of the residual, for example ``rod: moment about e1``.
    row_owners : tuple of str
        The body or joint that each row of the residual belongs to.
    outputs : tuple of str
        One per number that the ``outputs`` kernel writes, for example ``tip.x``.
    units : tuple of str
        Unit of each output (empty if unknown).
    bodies : tuple of str
        What the kernel writes behind the outputs: coordinates of bodies and their derivatives,
        which follow from relative coordinates.
    """

    coordinates: tuple[str, ...]
    multipliers: tuple[str, ...]
    rows: tuple[str, ...]
    row_owners: tuple[str, ...]
    outputs: tuple[str, ...]
    units: tuple[str, ...]
    bodies: tuple[str, ...] = ()

    @property
    def n_out(self) -> int:
        """How many numbers the kernel of the outputs writes."""
        return len(self.outputs) + len(self.bodies)


@dataclass(frozen=True)
class Tables:
    """Numbers that the kernels read: they are arguments, never globals.

    Attributes
    ----------
    p : array
        Real parameters of all elements.
    m : array of int
        Connectivity and scatter maps of all elements.
    q0, v0 : array
        Initial coordinates and velocities as the user gave them (not yet assembled).
    """

    p: FloatArray
    m: IntArray
    q0: FloatArray
    v0: FloatArray


@dataclass(frozen=True)
class Pattern:
    """Sparsity of the ``n x n`` iteration matrix, compressed by columns, rows sorted."""

    indptr: IntArray
    indices: IntArray


@dataclass(frozen=True)
class Parameters:
    """Named parameters that stay changeable, and where their consequences go.

    Attributes
    ----------
    names : tuple of str
        Names, sorted as in the model.
    defaults : tuple of float
        Values at build time.
    derived : callable
        ``derived(values)`` returns every distinct expression of the parameters.
    p_targets, q_targets, v_targets : array of int, shape (k, 2)
        Pairs (position in the table, index of the derived value).
    variation : callable
        ``variation(values, changes)`` returns the changes of these expressions; only modules that
        were made for sensitivities have it.
    units : tuple of str
        Units of the parameters; likewise.
    bounded : callable
        ``bounded(values)`` returns what must lie somewhere: number, interval, what it is, advice.
    """

    names: tuple[str, ...] = ()
    defaults: tuple[float, ...] = ()
    derived: Callable[[Sequence[float]], list[float]] = field(default=lambda values: [])
    p_targets: IntArray = field(default_factory=lambda: np.zeros((0, 2), np.int64))
    q_targets: IntArray = field(default_factory=lambda: np.zeros((0, 2), np.int64))
    v_targets: IntArray = field(default_factory=lambda: np.zeros((0, 2), np.int64))
    variation: Callable[[Sequence[float], Sequence[float]], list[float]] = field(
        default=lambda values, changes: []
    )
    units: tuple[str, ...] = ()
    bounded: Callable[[Sequence[float]], list[tuple[float, str, str, str]]] = field(
        default=lambda values: []
    )


@dataclass(frozen=True, eq=False)
class Displaced:
    """A body whose virtual displacements are no changes of coordinates: the kernel gives them.

    Attributes
    ----------
    kind : str
        Name of its coordinates.
    first, n_q, n_u : int
        Its first coordinate, and how many coordinates and dynamics rows it has.
    attitude : int
        Its first number that may fail to describe its orientation; -1 if none does.
    home : array
        Where these are farthest from failing.
    bases : array of int, shape (k, 2)
        Places in the table of parameters, and which entry of the rotation matrix of the base (by
        columns) is there. None if there are other numbers for every orientation.
    """

    kind: str
    first: int
    n_q: int
    n_u: int
    attitude: int
    home: FloatArray
    bases: IntArray

    @property
    def rebased(self) -> bool:
        """Whether it has a base that a run may switch."""
        return len(self.bases) > 0


@dataclass(frozen=True, eq=False)
class BodyType:
    """Bodies whose motion follows from their coordinates by the same function.

    Attributes
    ----------
    motion : callable
        ``motion(q, v, a, p, out)`` writes 24 arrays, see `mbdgen.interface.MOTION_PARTS`.
    bodies : array of int, shape (n,)
        Which bodies they are.
    coordinates : array of int, shape (n, k)
        Places of their coordinates.
    numbers : array of int, shape (n, j)
        Places of what it reads in the table of parameters.
    """

    motion: Callable[..., None]
    bodies: IntArray
    coordinates: IntArray
    numbers: IntArray


@dataclass(frozen=True, eq=False)
class Telling:
    """Elements that tell something of every place of a flexible body, by the same function.

    Attributes
    ----------
    function : callable
        ``function(t, q, v, a, xi, p, out)`` writes an array for each of the names.
    bodies : array of int, shape (n,)
        Which bodies these are.
    coordinates, numbers : array of int, shape (n, k)
        As of `BodyType`.
    told : tuple of (name, unit)
        What it writes.
    rule : int
        How many places of Gauss the forces of these elements are integrated at.
    """

    function: Callable[..., None]
    bodies: IntArray
    coordinates: IntArray
    numbers: IntArray
    told: tuple[tuple[str, str], ...]
    rule: int


def _no_pairs() -> IntArray:
    return np.zeros((0, 2), np.int64)


def _none() -> IntArray:
    return np.zeros(0, np.int64)


@dataclass(frozen=True, eq=False)
class Stated:
    """What was stated of bodies at the start, where their coordinates are not those of the system.

    Attributes
    ----------
    coordinates : array of int, shape (k, 3)
        Coordinates of bodies (of `Names.bodies`), and where their initial values and rates stand
        in the table of parameters.
    inertias : array of int, shape (k, 2)
        Bodies, and where their mass and the nine entries of their inertia tensor (about the centre
        of mass, body axes) stand there.
    held, held_velocity : array of int
        Coordinates of bodies that assembly must not change, and those whose rates it must not.
    twists : array of int, shape (k, 2)
        Bodies of which it must not change the velocity (0) or the angular velocity (1).
    """

    coordinates: IntArray = field(default_factory=lambda: np.zeros((0, 3), np.int64))
    inertias: IntArray = field(default_factory=_no_pairs)
    held: IntArray = field(default_factory=_none)
    held_velocity: IntArray = field(default_factory=_none)
    twists: IntArray = field(default_factory=_no_pairs)


@dataclass(frozen=True)
class SystemData:
    """Everything about one mechanism except its kernels.

    Attributes
    ----------
    model : str
        Name of the model.
    backend, layout : str
        How the kernels were made.
    n_q, n_lam : int
        Numbers of coordinates and of multipliers; ``n = n_q + n_lam`` rows and unknowns.
    constraint_rows : array of int
        Rows of the residual that hold ``phi`` (norm rows and multiplier rows).
    velocity_rows : array of int
        Those among them that constrain velocities only: nothing in the residual.
    unit_blocks : array of int, shape (k, 2)
        First index and length of coordinate groups that are unit vectors (quaternions).
    fixed, fixed_velocity : array of bool, shape (n_q,)
        Coordinates that assembly must not move (the user fixed them), and velocities.
    driven : array of int
        Multipliers of constraints that prescribe a motion as a function of time.
    displaced : tuple of Displaced
        Bodies whose virtual displacements are no changes of coordinates.
    contacts : array of int, shape (k, 3)
        For every contact the outputs that hold its depth, the rate of that, and the length of steps
        that it needs.
    memory : array of int, shape (k, 3)
        Places in the table of parameters, which contact has them, and which of its numbers is
        there: whether it is closed (0), its speed of approach (1), how calm it is (2).
    fuses : bool
        Whether the backend makes fused kernels at all.
    fused_size : int
        Length of what the fused kernels write; 0 without them.
    reduced : (int, int), optional
        How many coordinates and multipliers the fused kernels work with, if not with all.
    crowds : array of int
        Where the tables of many contacts begin in ``tables.m``: see
        `mbdgen.runtime.monitors.crowd_tables`.
    ranges : array of int, shape (k, 3)
        For every place that moves along a path its number among the coordinates, and where the
        smallest and the largest value of that stand in ``p``.
    moved : array of int
        Outputs that are multipliers of drivers whose equations have been eliminated.
    stated : Stated
        What was stated of bodies, where the coordinates are others than theirs.
    loads : array of int
        Numbers in the table of parameters that applied loads are proportional to, as far as the
        kernels look them up.
    printed_loads : tuple of str
        Loads whose sizes are numbers in the kernels: "gravity", or a force.
    turns : array of int, shape (k, 3)
        Of every angle with all its turns the places in ``p`` that it is predicted by, and whether
        it may jump where it is not defined: see `mbdgen.runtime.monitors.angle_unwrapping`.
    powered : bool
        Whether anything non-conservative or driven can do work.
    reads : bool
        Whether forces depend on reactions.
    picture : callable, optional
        Returns what pictures show, for values of the parameters
        (`mbdgen.runtime.results.scene_figures`).
    bodies : tuple of str
        Everything that is somewhere: rigid bodies and point masses.
    motions : tuple of BodyType
        How they move.
    along : tuple of Telling
        What is known along flexible ones.
    source : Path, optional
        The generated module, if there is one.
    digest : str
        Hash of everything that stands in it.
    operations : tuple of (str, int)
        Arithmetic operations in one call of each kernel.
    """

    model: str
    backend: str
    layout: str
    n_q: int
    n_lam: int
    names: Names
    tables: Tables
    pattern: Pattern
    parameters: Parameters
    constraint_rows: IntArray
    unit_blocks: IntArray
    fixed: NDArray[np.bool_]
    fixed_velocity: NDArray[np.bool_]
    driven: IntArray = field(default_factory=lambda: np.zeros(0, np.int64))
    velocity_rows: IntArray = field(default_factory=lambda: np.zeros(0, np.int64))
    displaced: tuple[Displaced, ...] = ()
    contacts: IntArray = field(default_factory=lambda: np.zeros((0, 3), np.int64))
    memory: IntArray = field(default_factory=lambda: np.zeros((0, 3), np.int64))
    fuses: bool = False
    fused_size: int = 0
    reduced: tuple[int, int] | None = None
    crowds: IntArray = field(default_factory=lambda: np.zeros(0, np.int64))
    ranges: IntArray = field(default_factory=lambda: np.zeros((0, 3), np.int64))
    moved: IntArray = field(default_factory=lambda: np.zeros(0, np.int64))
    stated: Stated = field(default_factory=Stated)
    loads: IntArray = field(default_factory=lambda: np.zeros(0, np.int64))
    turns: IntArray = field(default_factory=lambda: np.zeros((0, 3), np.int64))
    powered: bool = True
    reads: bool = False
    printed_loads: tuple[str, ...] = ()
    picture: Callable[[Sequence[float]], tuple[Row, ...]] | None = None
    bodies: tuple[str, ...] = ()
    motions: tuple[BodyType, ...] = ()
    along: tuple[Telling, ...] = ()
    source: Path | None = None
    digest: str = ""
    operations: tuple[tuple[str, int], ...] = ()
    build_seconds: tuple[tuple[str, float], ...] = ()

    @property
    def n(self) -> int:
        """Number of unknowns and rows of the iteration matrix."""
        return self.n_q + self.n_lam

    @property
    def drives(self) -> bool:
        """Whether anything prescribes a motion, by a multiplier or without."""
        return bool(len(self.driven) or len(self.moved))
