"""The step of explicit Runge-Kutta methods for any formulation: ``y' = f(t, y)``."""

from mbdgen.runtime.abi import Kernels
from mbdgen.runtime.data import FloatArray
from mbdgen.runtime.dense.ending import end_explicit, pack
from mbdgen.runtime.dense.level import take_positions
from mbdgen.runtime.dense.parts import Parts, general_step
from mbdgen.runtime.dense.room import Dense
from mbdgen.runtime.work import OK, State, Work


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
    """``y_i = y + h sum_j a_ij f(t_j, y_j)``; numbers as in `mbdgen.runtime.tableau.nystroem`.

    Row ``j`` of the room has the slope of stage ``j``, the first of which is left from the step
    before; the last row has the beginning of the step.
    """
    t, stages, at = state.clock[0], int(options[0]), 1
    y, slopes, start = dense.y, dense.rows, dense.rows[stages]
    pack(state, dense, start)
    for stage in range(1, stages + 1):
        c = options[at]
        for i in range(len(y)):
            y[i] = start[i]
        for j in range(stage):
            weight = h * options[at + 1 + stage + j]
            if weight != 0.0:
                for i in range(len(y)):
                    y[i] += weight * slopes[j, i]
        at += 1 + 2 * stage
        if stage == stages:
            break
        status = parts.slope(
            parts.eliminate,
            parts.complete,
            kernels,
            work,
            state,
            dense,
            t + c * h,
            y,
            slopes[stage],
        )
        if status != OK:
            return status
    state.clock[0] = t + h
    take_positions(state, dense, y)
    return end_explicit(kernels, work, state, dense, parts)
