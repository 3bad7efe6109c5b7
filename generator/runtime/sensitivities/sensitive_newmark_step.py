"""Newmark step with forward sensitivities; see `mbdgen.runtime.integrators.newmark`."""

from mbdgen.runtime.linalg.linear_solver import Factors
from mbdgen.runtime.program.kernel_abi import Kernels
from mbdgen.runtime.sensitivities.sensitive_step_end import (
    finish,
    project_sensitive_step_end,
    share_varied,
)
from mbdgen.runtime.sensitivities.variation_steps import vary_implicit
from mbdgen.runtime.sensitivities.variation_workspace import Variations, varied_step
from mbdgen.runtime.stepping.newton_iteration import solve_step
from mbdgen.runtime.steps.newmark_family import newmark_known
from mbdgen.runtime.system.kernel_calls import evaluate_rates
from mbdgen.runtime.system.run_workspace import LEFT, OK, RunWorkspace, State
from mbdgen.runtime.system.system_data import FloatArray


@varied_step
def step(
    kernels: Kernels,
    work: RunWorkspace,
    state: State,
    h: float,
    options: FloatArray,
    tangent: Factors,
    room: Variations,
) -> int:
    """Advance motion and variations by one step."""
    beta, gamma, tolerance, limit = options[0], options[1], options[2], int(options[3])
    q_known, v_known = work.scratch[0], work.scratch[1]
    t, c_q, c_v = state.clock[0] + h, beta * h * h, gamma * h
    newmark_known(state, h, beta, gamma, q_known, v_known)
    for k in range(len(room.p)):
        varied = State(state.clock, room.q[k], room.v[k], room.a[k], room.lam[k])
        newmark_known(varied, h, beta, gamma, room.new_q[k], room.new_v[k])
    status = solve_step(
        kernels, work, tangent, state, q_known, v_known, t, c_q, c_v, tolerance, limit
    )
    if status != OK:
        return status
    state.clock[0] = t
    status = vary_implicit(kernels, work, tangent, room, state, c_q, c_v)
    if status == OK:
        status = evaluate_rates(kernels, work, t, state.q, state.v, state.a, state.lam)
    # The factors still belong to the position at the beginning of the step.
    if status == OK and options[4] > 0.5:
        status = share_varied(kernels, work, room, state)
    if status == OK:
        status = project_sensitive_step_end(kernels, work, room, state)
    work.memory[LEFT] = 1.0
    return status if status != OK else finish(kernels, work, room, state, h)
