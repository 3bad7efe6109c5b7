"""Constant data of a generated module: names, parameter tables, sparsity pattern, features."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mbdgen.runtime.results.scene_figures import Row

FloatArray = NDArray[np.float64]
FloatsLike = Sequence[float] | NDArray[Any]
"""Sequence of floats as users give it."""
IntArray = NDArray[np.int64]


def reals(values: object) -> FloatArray:
    """Return a contiguous float64 array for compiled code; copied only if necessary."""
    return np.ascontiguousarray(values, dtype=np.float64)


def integers(values: object) -> IntArray:
    """Return a contiguous int64 array for compiled code."""
    return np.ascontiguousarray(values, dtype=np.int64)


@dataclass(frozen=True)
class Names:
    """Names of everything with an index, in the order of the state.

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
        One per value of the ``outputs`` kernel, for example ``tip.x``.
    units : tuple of str
        Unit of each output (empty if unknown).
    bodies : tuple of str
        Values of the kernel after the outputs: coordinates of bodies and their derivatives, as
        functions of relative coordinates.
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
        """Number of values of the kernel for outputs."""
        return len(self.outputs) + len(self.bodies)


@dataclass(frozen=True)
class Tables:
    """Parameter tables of the kernels: arguments, never globals.

    Attributes
    ----------
    p : array
        Real parameters of all elements.
    m : array of int
        Connectivity and scatter maps of all elements.
    q0, v0 : array
        Initial coordinates and velocities as stated, before consistent initialisation.
    """

    p: FloatArray
    m: IntArray
    q0: FloatArray
    v0: FloatArray


@dataclass(frozen=True)
class Pattern:
    """Sparsity pattern of the ``n x n`` iteration matrix, compressed by columns, rows sorted."""

    indptr: IntArray
    indices: IntArray


@dataclass(frozen=True)
class Parameters:
    """Named parameters that can change at run time, and the table entries that depend on them.

    Attributes
    ----------
    names : tuple of str
        Names, sorted as in the model.
    defaults : tuple of float
        Values at build time.
    derived : callable
        ``derived(values)`` returns every distinct parameter expression.
    p_targets, q_targets, v_targets : array of int, shape (k, 2)
        Pairs (index in the table, index of the derived value).
    variation : callable
        ``variation(values, changes)`` returns directional derivatives of these expressions; only
        in modules built for sensitivities.
    units : tuple of str
        Units of the parameters; only in these modules.
    bounded : callable
        ``bounded(values)`` returns bounded values: value, interval, meaning, advice.
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
    """A body whose virtual displacements are not coordinate variations; it has a kernel for them.

    Attributes
    ----------
    kind : str
        Name of its coordinates.
    first, n_q, n_u : int
        Its first coordinate, and its numbers of coordinates and of equations of motion.
    attitude : int
        Its first coordinate of the orientation chart, which may become singular; -1 without one.
    home : array
        Values of these farthest from the coordinate singularity.
    bases : array of int, shape (k, 2)
        Indices in the parameter table, and the entry of the rotation matrix of the base (by
        columns) there. Empty if the coordinates have a chart for every orientation.
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
        """Whether it has a base that a run may switch (a change of chart)."""
        return len(self.bases) > 0


@dataclass(frozen=True, eq=False)
class BodyType:
    """Bodies whose motion is computed from their coordinates by the same function.

    Attributes
    ----------
    motion : callable
        ``motion(q, v, a, p, out)`` writes 24 arrays, see `mbdgen.interface.MOTION_PARTS`.
    bodies : array of int, shape (n,)
        Indices of the bodies.
    coordinates : array of int, shape (n, k)
        Indices of their coordinates.
    numbers : array of int, shape (n, j)
        Indices of its arguments in the parameter table.
    """

    motion: Callable[..., None]
    bodies: IntArray
    coordinates: IntArray
    numbers: IntArray


@dataclass(frozen=True, eq=False)
class SectionFunction:
    """Elements with quantities along a flexible body, evaluated by the same function.

    Attributes
    ----------
    function : callable
        ``function(t, q, v, a, xi, p, out)`` writes an array for each quantity.
    bodies : array of int, shape (n,)
        Indices of the elements.
    coordinates, numbers : array of int, shape (n, k)
        As in `BodyType`.
    quantities : tuple of (name, unit)
        The quantities.
    rule : int
        Number of Gauss points for the forces of these elements.
    """

    function: Callable[..., None]
    bodies: IntArray
    coordinates: IntArray
    numbers: IntArray
    quantities: tuple[tuple[str, str], ...]
    rule: int


def _no_pairs() -> IntArray:
    return np.zeros((0, 2), np.int64)


def _none() -> IntArray:
    return np.zeros(0, np.int64)


@dataclass(frozen=True, eq=False)
class Stated:
    """Stated initial conditions of bodies whose coordinates are not those of the system.

    Attributes
    ----------
    coordinates : array of int, shape (k, 3)
        Coordinates of bodies (of `Names.bodies`), and indices of their initial values and rates in
        the parameter table.
    inertias : array of int, shape (k, 2)
        Bodies, and the index there of their mass, followed by the nine entries of their inertia
        tensor (about the centre of mass, body axes).
    held, held_velocity : array of int
        Fixed coordinates of bodies in assembly, and coordinates with fixed rates.
    twists : array of int, shape (k, 2)
        Bodies with a fixed velocity (0) or angular velocity (1).
    """

    coordinates: IntArray = field(default_factory=lambda: np.zeros((0, 3), np.int64))
    inertias: IntArray = field(default_factory=_no_pairs)
    held: IntArray = field(default_factory=_none)
    held_velocity: IntArray = field(default_factory=_none)
    twists: IntArray = field(default_factory=_no_pairs)


@dataclass(frozen=True)
class SystemData:
    """Constant data of one multibody system, without its kernels.

    Attributes
    ----------
    model : str
        Name of the model.
    backend, layout : str
        Backend and layout of the kernels.
    n_q, n_lam : int
        Numbers of coordinates and of Lagrange multipliers; ``n = n_q + n_lam`` rows and unknowns.
    constraint_rows : array of int
        Rows of the residual with ``phi`` (norm rows and multiplier rows).
    velocity_rows : array of int
        Nonholonomic constraints among them, which have no residual of positions.
    unit_blocks : array of int, shape (k, 2)
        First index and length of unit vectors among the coordinates (quaternions).
    fixed, fixed_velocity : array of bool, shape (n_q,)
        Coordinates and velocities fixed by the user, which assembly must not change.
    driven : array of int
        Multipliers of constraints that prescribe a motion as a function of time.
    displaced : tuple of Displaced
        Bodies whose virtual displacements are not coordinate variations.
    contacts : array of int, shape (k, 3)
        For every contact the outputs with its penetration depth, the rate of the depth, and the
        required time step.
    memory : array of int, shape (k, 3)
        Indices in the parameter table, the contact, and the kind of its value there: whether it
        is closed (0), its speed of approach (1), how calm it is (2).
    fuses : bool
        Whether the backend generates fused kernels at all.
    fused_size : int
        Length of the output of the fused kernels; 0 without them.
    reduced : (int, int), optional
        Numbers of coordinates and multipliers in the fused kernels, if reduced.
    crowds : array of int
        Start indices of the tables of contacts among many bodies in ``tables.m``: see
        `mbdgen.runtime.monitors.neighbour_lists`.
    ranges : array of int, shape (k, 3)
        For every point that moves along a path its coordinate, and the indices of the lower and
        upper limit in ``p``.
    moved : array of int
        Outputs that are Lagrange multipliers of drivers with eliminated equations.
    stated : Stated
        Stated initial conditions of bodies, if the coordinates are not those of the bodies.
    loads : array of int
        Indices in the parameter table of factors that applied loads are proportional to, as far as
        the kernels read them there.
    printed_loads : tuple of str
        Loads whose values are literals in the kernels: "gravity", or a force.
    turns : array of int, shape (k, 3)
        For every unwrapped angle the indices in ``p`` of its prediction, and whether it may jump
        where it is undefined: see `mbdgen.runtime.monitors.angle_unwrapping`.
    powered : bool
        Whether non-conservative loads or drivers can do work.
    reads : bool
        Whether forces depend on reactions.
    picture : callable, optional
        Returns the figures of pictures, for values of the parameters
        (`mbdgen.runtime.results.scene_figures`).
    bodies : tuple of str
        Names of all rigid bodies and point masses.
    motions : tuple of BodyType
        Motion functions of these, by type.
    along : tuple of Telling
        Quantities along flexible bodies.
    source : Path, optional
        The generated module, if there is one.
    digest : str
        Hash of its content.
    operations : tuple of (str, int)
        Number of arithmetic operations in one call of each kernel.
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
    along: tuple[SectionFunction, ...] = ()
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
        """Whether any motion is prescribed, by a multiplier or by eliminated equations."""
        return bool(len(self.driven) or len(self.moved))
