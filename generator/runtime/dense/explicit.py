"""The step of explicit Runge-Kutta methods for any formulation: ``y' = f(t, y)``."""

from numba import types

from mbdgen.runtime.abi import KERNELS, Kernels
from mbdgen.runtime.compiled import separate
from mbdgen.runtime.data import FloatArray
from mbdgen.runtime.dense.ending import end_explicit, pack
from mbdgen.runtime.dense.level import take_positions
from mbdgen.runtime.dense.parts import PARTS, Parts, general_step, slope_at
from mbdgen.runtime.dense.room import DENSE, Dense
from mbdgen.runtime.work import OK, REAL_ARRAY, REAL_TABLE, STATE, WORK, State, Work


@separate(types.int64(KERNELS, WORK, STATE, types.float64, REAL_ARRAY, PARTS, DENSE, REAL_TABLE))
def runge_kutta(
    kernels: Kernels,
    work: Work,
    state: State,
    h: float,
    numbers: FloatArray,
    parts: Parts,
    dense: Dense,
    slopes: FloatArray,
) -> int:
    """``y_i = y + h sum_j a_ij f(t_j, y_j)``, the last of which, the end, is left in ``dense.y``.

    Numbers are those of `mbdgen.runtime.tableau.nystroem`. Row ``j`` of ``slopes`` gets the slope
    of stage ``j``, the first of which is there; the row behind them gets the beginning of the step.
    """
    t, stages, at = state.clock[0], int(numbers[0]), 1
    y, start = dense.y, slopes[stages]
    pack(state, dense, start)
    for stage in range(1, stages + 1):
        c = numbers[at]
        for i in range(len(y)):
            y[i] = start[i]
        for j in range(stage):
            weight = h * numbers[at + 1 + stage + j]
            if weight != 0.0:
                for i in range(len(y)):
                    y[i] += weight * slopes[j, i]
        at += 1 + 2 * stage
        if stage < stages:
            status = slope_at(kernels, work, state, dense, parts, t + c * h, y, slopes[stage])
            if status != OK:
                return status
    state.clock[0] = t + h
    return OK


@general_step
def step(
    kernels: Kernels,
    work: Work,
    state: State,
    h: float,
    options: FloatArray,
    parts: Parts,
    dense: Dense,
) -> int:
    """Advance by one step; row 0 of the room has the slope that the step before has left."""
    status = runge_kutta(kernels, work, state, h, options, parts, dense, dense.rows)
    if status != OK:
        return status
    take_positions(state, dense, dense.y)
    return end_explicit(kernels, work, state, dense, parts)
