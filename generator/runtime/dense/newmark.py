"""Newmark's formula for any formulation."""

from mbdgen.runtime.abi import Kernels
from mbdgen.runtime.data import FloatArray
from mbdgen.runtime.dense.ending import end_implicit
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
    """Advance by one step; see `mbdgen.runtime.integrators.newmark`."""
    beta, gamma, tolerance, limit = options[0], options[1], options[2], int(options[3])
    q_known, v_known = work.scratch[0], work.scratch[1]
    for i in range(len(state.q)):
        q_known[i] = state.q[i] + h * state.v[i] + h * h * (0.5 - beta) * state.a[i]
        v_known[i] = state.v[i] + h * (1.0 - gamma) * state.a[i]
    status = parts.solve(
        parts.eliminate,
        parts.complete,
        kernels,
        work,
        state,
        dense,
        q_known,
        v_known,
        state.clock[0] + h,
        beta * h * h,
        gamma * h,
        tolerance,
        limit,
    )
    return status if status != OK else end_implicit(kernels, work, state, dense, parts)
