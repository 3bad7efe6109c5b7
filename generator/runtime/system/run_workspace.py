"""What the compiled loops work on: state, tables and scratch, as typed tuples of arrays."""

from typing import NamedTuple

import numpy as np
from numba import types
from numpy.typing import NDArray

from mbdgen.runtime.system.system_data import FloatArray, IntArray, SystemData, integers, reals

REAL_ARRAY = types.float64[::1]
INT_ARRAY = types.int64[::1]
REAL_TABLE = types.float64[:, ::1]
INT_TABLE = types.int64[:, ::1]

SCRATCH_ROWS = 16
"""Vectors of ``n_q`` numbers that an integrator may use freely during one step."""

PASSES = (1, 6)
PASSES_READING = (100, 100)
"""Corrections of accelerations, the latter where forces depend on reactions: each pass finds the
reactions of the forces of the pass before, and friction makes them converge like a power of it."""

PADDING = 8
"""Numbers behind the vectors of a state that compiled code may read."""

INDEX_1 = (0.0, 0.0, 1.0)
"""Weights ``(c_q, c_v, c_a)`` of ``[M, -G^T; H, eps]``."""

# Status of a step. The loops hand it to Python unchanged.
OK = 0
REPIVOT_TANGENT = 1
REPIVOT_MASS = 2
SINGULAR_TANGENT = 3
SINGULAR_MASS = 4
NOT_CONVERGED = 5
NOT_FINITE = 6
KERNEL_FAILED = 7
PAUSED = 8
IRREGULAR = 9
NEEDS_PIVOTS = 10
LIBRARY_FAILED = 11
TURNS_UNKNOWN = 12

# Places in ``Work.counters``.
STEPS, NEWTON, FACTORISATIONS, REJECTED = 0, 1, 2, 3
COUNTERS = 4

# Places in ``Work.memory``: the weight c_q of the tangent that is kept (0: none), the iterations
# that were enough when it was new, how many more there were since, and in the last step, and the
# number of steps it served; whether a step has left residual and rates of its end in ``Work``.
KEPT_WEIGHT, ENOUGH, EXTRA, LAST, AGE, LEFT = 0, 1, 2, 3, 4, 5


class RunWorkspace(NamedTuple):
    """Tables of one mechanism and scratch space; the arrays never change their place.

    Attributes
    ----------
    p, m : array
        Tables of the kernels.
    indptr, indices : array of int
        Pattern of the iteration matrix (compressed by columns).
    rows : array of int
        Constraint rows.
    velocity_rows : array of int
        Those of them that constrain velocities only: nothing in the residual.
    holonomic : array
        For every row 1, but 0 for ``velocity_rows``.
    diagonal : array of int
        Positions in ``values`` of the diagonal of the multiplier block.
    eps : array
        What is put there: makes redundant and singular constraints harmless.
    unit_blocks : array of int, shape (k, 2)
        Unit vectors among the coordinates.
    weights : array
        ``(c_q, c_v, c_a)`` of the iteration matrix; behind them ``eps``, which fused kernels read.
    values : array
        Values of the iteration matrix evaluated last.
    residual, rates, energies : array
        What the kernels wrote last.
    x, rhs : array
        Solution and right-hand side of linear systems.
    zero : array
        Zeros in the place of a vector of ``n_q``.
    scratch : array, shape (SCRATCH_ROWS, n_q)
        For the integrator, during one step.
    kept : array, shape (Method.kept, n_q)
        For the integrator, from one step to the next: zero at the beginning of a run and of each
        member of an ensemble, written by steps only, when they return `OK`.
    passes : array of int
        Corrections of accelerations that may be needed: in a stage, and at the end of a step.
    counters : array of int
        Steps, Newton iterations, factorisations, steps that were made in halves.
    memory : array
        What one step tells the next; zero at the beginning of a run.
    turns : array of int, shape (k, 3)
        Of every angle with all its turns the places in ``p`` that it is predicted by, and whether
        it may jump: see `mbdgen.runtime.monitors.angle_unwrapping`.
    angles : array
        Room for these angles, each with its rate behind it.
    """

    p: FloatArray
    m: IntArray
    indptr: IntArray
    indices: IntArray
    rows: IntArray
    velocity_rows: IntArray
    holonomic: FloatArray
    diagonal: IntArray
    eps: FloatArray
    unit_blocks: IntArray
    weights: FloatArray
    values: FloatArray
    residual: FloatArray
    rates: FloatArray
    energies: FloatArray
    x: FloatArray
    rhs: FloatArray
    zero: FloatArray
    scratch: FloatArray
    kept: FloatArray
    passes: IntArray
    counters: IntArray
    memory: FloatArray
    turns: IntArray
    angles: FloatArray


class State(NamedTuple):
    """A motion at one instant; a step overwrites it.

    ``clock`` holds the time as an array of one number, because a tuple cannot change.
    """

    clock: FloatArray
    q: FloatArray
    v: FloatArray
    a: FloatArray
    lam: FloatArray


WORK = types.NamedTuple(
    (
        *(REAL_ARRAY, INT_ARRAY),
        *(INT_ARRAY, INT_ARRAY),
        *(INT_ARRAY, INT_ARRAY, REAL_ARRAY),
        *(INT_ARRAY, REAL_ARRAY),
        INT_TABLE,
        *(REAL_ARRAY, REAL_ARRAY),
        *(REAL_ARRAY, REAL_ARRAY, REAL_ARRAY),
        *(REAL_ARRAY, REAL_ARRAY, REAL_ARRAY),
        *(REAL_TABLE, REAL_TABLE),
        *(INT_ARRAY, INT_ARRAY),
        *(REAL_ARRAY, INT_TABLE, REAL_ARRAY),
    ),
    RunWorkspace,
)
STATE = types.NamedUniTuple(REAL_ARRAY, 5, State)


def new_state(n_q: int, n_lam: int) -> State:
    """Return a state of zeros, its vectors padded with zeros for code that works in blocks."""
    return State(np.zeros(1), *(np.zeros(n + PADDING)[:n] for n in (n_q, n_q, n_q, n_lam)))


def new_run_workspace(data: SystemData) -> RunWorkspace:
    """Return the tables of one mechanism, copied where they may change, and room beside them."""
    tables, pattern, n, n_q = data.tables, data.pattern, data.n, data.n_q
    indptr, indices = integers(pattern.indptr), integers(pattern.indices)
    weights, holonomic = np.zeros(3 + data.n_lam), np.ones(n)
    holonomic[data.velocity_rows] = 0.0
    return RunWorkspace(
        p=reals(tables.p).copy(),
        m=integers(tables.m),
        indptr=indptr,
        indices=indices,
        rows=integers(data.constraint_rows),
        velocity_rows=integers(data.velocity_rows),
        holonomic=holonomic,
        diagonal=_multiplier_diagonal(indptr, indices, n_q),
        eps=weights[3:],
        unit_blocks=integers(data.unit_blocks).reshape(-1, 2),
        weights=weights,
        values=np.zeros(len(indices)),
        residual=np.zeros(n),
        rates=np.zeros(2 * n),
        energies=np.zeros(3),
        x=np.zeros(n),
        rhs=np.zeros(n),
        zero=np.zeros(n_q),
        scratch=np.zeros((SCRATCH_ROWS, n_q)),
        kept=np.zeros((0, n_q)),
        passes=np.array(PASSES_READING if data.reads else PASSES, np.int64),
        counters=np.zeros(COUNTERS, np.int64),
        memory=np.zeros(6),
        turns=integers(data.turns).reshape(-1, 3),
        angles=np.zeros(2 * len(data.turns)),
    )


def _multiplier_diagonal(indptr: IntArray, indices: IntArray, n_q: int) -> IntArray:
    """Positions of the diagonal of the multiplier block among the stored values."""
    n = len(indptr) - 1
    places: NDArray[np.int64] = np.empty(n - n_q, np.int64)
    for k, column in enumerate(range(n_q, n)):
        start, stop = indptr[column], indptr[column + 1]
        places[k] = start + np.searchsorted(indices[start:stop], column)
        if places[k] == stop or indices[places[k]] != column:
            raise ValueError(f"the pattern lacks the diagonal entry of multiplier {k}")
    return places
