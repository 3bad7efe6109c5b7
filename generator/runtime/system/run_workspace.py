"""Workspace of a run for compiled loops: state, parameter tables and scratch arrays."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mbdgen.runtime.system.system_data import FloatArray, IntArray, SystemData, integers, reals
from mbdgen.subset import types

REAL_ARRAY = types.float64[::1]
INT_ARRAY = types.int64[::1]
REAL_TABLE = types.float64[:, ::1]
INT_TABLE = types.int64[:, ::1]

SCRATCH_ROWS = 16
"""Vectors of ``n_q`` values that an integrator may use freely during one step."""

PASSES = (1, 6)
PASSES_READING = (100, 100)
"""Iterations for accelerations; the latter with friction that depends on reactions: a fixed-point
iteration, each pass with the forces of the reactions before, which converges linearly (rate:
friction coefficient)."""

PADDING = 8
"""Values after the vectors of a state that compiled code may read."""

INDEX_1 = (0.0, 0.0, 1.0)
"""Weights ``(c_q, c_v, c_a)`` of the index-1 matrix ``[M, -G^T; H, eps]``."""

# Status of a step. The loops return it to Python unchanged.
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

# Indices in ``Work.counters``.
STEPS, NEWTON, FACTORISATIONS, REJECTED = 0, 1, 2, 3
COUNTERS = 4

# Indices in ``Work.memory``: the weight c_q of the iteration matrix that is reused (0: none), the
# Newton iterations when it was new, the additional iterations since and in the last step, the
# number of steps it served; whether a step has left residual and rates of its end in ``Work``.
KEPT_WEIGHT, ENOUGH, EXTRA, LAST, AGE, LEFT = 0, 1, 2, 3, 4, 5


class RunWorkspace(NamedTuple):
    """Tables and scratch arrays of one run; the arrays are never reallocated.

    Attributes
    ----------
    p, m : array
        Parameter and index tables of the kernels.
    indptr, indices : array of int
        Sparsity pattern of the iteration matrix (compressed by columns).
    rows : array of int
        Constraint rows.
    velocity_rows : array of int
        Nonholonomic ones among them, which have no residual of positions.
    holonomic : array
        1 for every row, but 0 for ``velocity_rows``.
    diagonal : array of int
        Indices in ``values`` of the diagonal of the multiplier block.
    eps : array
        Regularisation on that diagonal, for redundant and singular constraints.
    unit_blocks : array of int, shape (k, 2)
        First index and length of unit vectors among the coordinates.
    weights : array
        ``(c_q, c_v, c_a)`` of the iteration matrix; followed by ``eps``, which fused kernels read.
    values : array
        Values of the iteration matrix evaluated last.
    residual, rates, energies : array
        Output of the kernels evaluated last.
    x, rhs : array
        Solution and right-hand side of linear systems.
    zero : array
        Zero vector of length ``n_q``.
    scratch : array, shape (SCRATCH_ROWS, n_q)
        Workspace of the integrator during one step.
    kept : array, shape (Method.kept, n_q)
        Memory of the integrator from one step to the next: zero at the start of a run and of each
        member of an ensemble, written by steps only, when they return `OK`.
    passes : array of int
        Largest number of iterations for accelerations: in a stage, and at the end of a step.
    counters : array of int
        Steps, Newton iterations, factorisations, bisected steps.
    memory : array
        State of the reuse of the iteration matrix; zero at the start of a run.
    turns : array of int, shape (k, 3)
        For every unwrapped angle the indices in ``p`` of its prediction, and whether it may jump:
        see `mbdgen.runtime.monitors.angle_unwrapping`.
    angles : array
        Workspace for these angles, each followed by its rate.
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
    """State of the motion at one instant, ``(t, q, v, a, lam)``; a step overwrites it.

    ``clock`` holds the time in an array of length 1, because a tuple cannot change.
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
    """Return a zero state, its vectors padded with zeros for vectorised code."""
    return State(np.zeros(1), *(np.zeros(n + PADDING)[:n] for n in (n_q, n_q, n_q, n_lam)))


def new_run_workspace(data: SystemData) -> RunWorkspace:
    """Return the tables of one system, copied where they may change, and scratch arrays."""
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
    """Return the indices of the diagonal of the multiplier block among the stored values."""
    n = len(indptr) - 1
    slots: NDArray[np.int64] = np.empty(n - n_q, np.int64)
    for k, column in enumerate(range(n_q, n)):
        start, stop = indptr[column], indptr[column + 1]
        slots[k] = start + np.searchsorted(indices[start:stop], column)
        if slots[k] == stop or indices[slots[k]] != column:
            raise ValueError(f"the pattern lacks the diagonal entry of multiplier {k}")
    return slots
