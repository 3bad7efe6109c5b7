"""Generalised-alpha step with sensitivities; see `mbdgen.runtime.integrators.generalized_alpha`."""

from mbdgen.runtime.linalg.linear_solver import Factors
from mbdgen.runtime.program.kernel_abi import Kernels
from mbdgen.runtime.sensitivities.sensitive_step_end import finish, project_sensitive_step_end
from mbdgen.runtime.sensitivities.variation_steps import vary_implicit
from mbdgen.runtime.sensitivities.variation_workspace import Variations, varied_step
from mbdgen.runtime.stepping.newton_iteration import solve_step
from mbdgen.runtime.steps.newmark_family import alpha_weights, alphas_of, begin_alpha, keep_alpha
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
    rho, tolerance, limit = options[0], options[1], int(options[2])
    alpha_m, alpha_f = alphas_of(rho)
    q_known, v_known, s_known = work.scratch[0], work.scratch[1], work.scratch[2]
    c_q, c_v, c_s = alpha_weights(alpha_m, alpha_f, h)
    begin_alpha(work.kept[0], state, h, alpha_m, alpha_f, q_known, v_known, s_known)
    s_varied = room.slopes[0]
    for k in range(len(room.p)):
        varied = State(state.clock, room.q[k], room.v[k], room.a[k], room.lam[k])
        known = room.new_q[k], room.new_v[k], s_varied[k]
        begin_alpha(room.kept[k], varied, h, alpha_m, alpha_f, known[0], known[1], known[2])
    t = state.clock[0] + h
    status = solve_step(
        kernels, work, tangent, state, q_known, v_known, t, c_q, c_v, tolerance, limit
    )
    if status != OK:
        return status
    state.clock[0] = t
    status = vary_implicit(kernels, work, tangent, room, state, c_q, c_v)
    if status == OK:
        status = evaluate_rates(kernels, work, t, state.q, state.v, state.a, state.lam)
    if status == OK:
        status = project_sensitive_step_end(kernels, work, room, state)
    if status != OK:
        return status
    work.memory[LEFT] = 1.0
    keep_alpha(work.kept[0], state, h, c_s, s_known)
    for k in range(len(room.p)):
        varied = State(state.clock, room.new_q[k], room.new_v[k], room.new_a[k], room.new_lam[k])
        keep_alpha(room.new_kept[k], varied, h, c_s, s_varied[k])
    return finish(kernels, work, room, state, h)
