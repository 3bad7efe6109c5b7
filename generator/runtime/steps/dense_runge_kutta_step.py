"""Step of explicit Runge-Kutta methods for any formulation: ``y' = f(t, y)``."""

from mbdgen.runtime.program.compiled_functions import separate
from mbdgen.runtime.program.kernel_abi import KERNELS, Kernels
from mbdgen.runtime.solvers.constraint_levels import take_positions
from mbdgen.runtime.solvers.dense_workspace import DENSE, DenseWorkspace
from mbdgen.runtime.solvers.scheme_functions import PARTS, SchemeFunctions, general_step, slope_at
from mbdgen.runtime.solvers.step_finalisation import end_explicit, pack
from mbdgen.runtime.system.run_workspace import (
    OK,
    REAL_ARRAY,
    REAL_TABLE,
    STATE,
    WORK,
    RunWorkspace,
    State,
)
from mbdgen.runtime.system.system_data import FloatArray
from mbdgen.subset import types


@separate(types.int64(KERNELS, WORK, STATE, types.float64, REAL_ARRAY, PARTS, DENSE, REAL_TABLE))
def runge_kutta(
    kernels: Kernels,
    work: RunWorkspace,
    state: State,
    h: float,
    numbers: FloatArray,
    parts: SchemeFunctions,
    dense: DenseWorkspace,
    slopes: FloatArray,
) -> int:
    """``y_i = y + h sum_j a_ij f(t_j, y_j)``; the last one, the end, is left in ``dense.y``.

    The coefficients are those of `mbdgen.runtime.steps.butcher_tableau.nystroem`. Row ``j`` of
    ``slopes`` receives the slope of stage ``j``, the first of which is given; the row after them
    receives the beginning of the step.
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
    work: RunWorkspace,
    state: State,
    h: float,
    options: FloatArray,
    parts: SchemeFunctions,
    dense: DenseWorkspace,
) -> int:
    """Advance by one step; row 0 of the workspace has the slope from the end of the last step."""
    status = runge_kutta(kernels, work, state, h, options, parts, dense, dense.rows)
    if status != OK:
        return status
    take_positions(state, dense, dense.y)
    return end_explicit(kernels, work, state, dense, parts)
