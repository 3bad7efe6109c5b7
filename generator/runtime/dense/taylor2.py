"""The Taylor polynomial of second order of ``y = (q, v)``, with exact second derivatives."""

from mbdgen.runtime.abi import Kernels
from mbdgen.runtime.data import FloatArray
from mbdgen.runtime.dense.ending import end_explicit
from mbdgen.runtime.dense.jerk import exact_jerk
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
    """``y+ = y + h y_dot + h^2/2 y_ddot``; row 0 has the slope at the state, row 1 is scratch."""
    slope, jerk, n_q, half = dense.rows[0], dense.rows[1], len(state.q), 0.5 * h * h
    status = exact_jerk(kernels, work, state, parts, dense, jerk)
    if status != OK:
        return status
    for i in range(n_q):
        state.q[i] += h * slope[i] + half * slope[n_q + i]
        state.v[i] += h * slope[n_q + i] + half * jerk[n_q + i]
    state.clock[0] += h
    return end_explicit(kernels, work, state, dense, parts)
