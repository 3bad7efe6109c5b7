"""Fixed-point iteration for velocities and accelerations at a known position (inner iteration)."""

from mbdgen.runtime.program.compiled_functions import internal, separate
from mbdgen.runtime.program.kernel_abi import KERNELS, Kernels
from mbdgen.runtime.solvers.dense_workspace import DENSE, DenseWorkspace
from mbdgen.runtime.solvers.exact_jerk import exact_jerk
from mbdgen.runtime.solvers.scheme_functions import PARTS, SchemeFunctions, slope_at
from mbdgen.runtime.system.run_workspace import (
    NEWTON,
    NOT_CONVERGED,
    OK,
    REAL_ARRAY,
    STATE,
    WORK,
    RunWorkspace,
    State,
)
from mbdgen.runtime.system.system_data import FloatArray
from mbdgen.subset import types

STAGNANT = 1e3
"""Change, in tolerances, that is accepted as round-off if it no longer decreases."""

_NUMBER = types.float64


@internal
def _insert(
    y: FloatArray,
    slope: FloatArray,
    known: FloatArray,
    rate: FloatArray,
    ratio: float,
    n_q: int,
) -> float:
    """``w <- known + ratio rate`` in ``y``; return the change relative to ``w``."""
    change = largest = 0.0
    for i in range(n_q, len(y)):
        w = known[i] + ratio * rate[i]
        if i < 2 * n_q:
            slope[i - n_q] += w - y[i]  # q_dot is the velocity, or contains it
        change, largest = max(change, abs(w - y[i])), max(largest, abs(w))
        y[i] = w
    return change / (1.0 + largest)


@separate(
    types.int64(
        *(KERNELS, WORK, STATE, PARTS, DENSE),
        *(_NUMBER, REAL_ARRAY, REAL_ARRAY, REAL_ARRAY, REAL_ARRAY),
        *(_NUMBER, _NUMBER, types.int64),
    )
)
def solve_velocities(
    kernels: Kernels,
    work: RunWorkspace,
    state: State,
    parts: SchemeFunctions,
    dense: DenseWorkspace,
    t: float,
    first: FloatArray,
    known: FloatArray,
    slope: FloatArray,
    jerk: FloatArray,
    ratio: float,
    tolerance: float,
    limit: int,
) -> int:
    """Solve ``w = known + ratio w_dot(t, q, w)`` in ``dense.y``, which has ``q``, and the slope.

    If an array for the ``jerk`` is given, the jerk is computed too and replaces ``w_dot``.
    Fixed-point iteration starts from ``first``. If it diverges, the accelerations at ``first`` are
    used, which have the accuracy of the formulas of a step: close to a singular position,
    velocities off the constraints have unbounded accelerations. With ``limit = 1`` they are always
    used: for models whose forces do not depend on velocities.
    """
    y, n_q = dense.y, len(state.q)
    before, again = 1e300, False
    for i in range(n_q, len(y)):
        y[i] = first[i]
    for _ in range(limit + 1):
        status = slope_at(kernels, work, state, dense, parts, t, y, slope)
        if status != OK:
            return status
        work.counters[NEWTON] += 1
        if len(jerk) > 0:
            status = exact_jerk(kernels, work, state, parts, dense, jerk)
            if status != OK:
                return status
            change = _insert(y, slope, known, jerk, ratio, n_q)
        else:
            change = _insert(y, slope, known, slope, ratio, n_q)
        if change <= tolerance or limit == 1 or again:
            return OK
        if not change < before:
            if change <= STAGNANT * tolerance:
                return OK
            again = True
            for i in range(n_q, len(y)):
                y[i] = first[i]
        before = change
    return NOT_CONVERGED
