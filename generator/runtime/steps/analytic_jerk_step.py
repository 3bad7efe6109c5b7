"""Integration family with jerk, for analytic jerks (not differences of accelerations).

``q+ = q + h q_dot + h^2/2 a + h^3/6 (j + (alpha - 1) (j - j-))``,
``v+ = v + h a + h^2/2 ((1 - beta) j + beta j+)``, where ``a+`` and ``j+`` are those of ``q+, v+``.
"""

from mbdgen.runtime.program.kernel_abi import Kernels
from mbdgen.runtime.solvers.dense_workspace import PROJECTS, DenseWorkspace
from mbdgen.runtime.solvers.exact_jerk import exact_jerk
from mbdgen.runtime.solvers.scheme_functions import SchemeFunctions, general_step
from mbdgen.runtime.solvers.step_finalisation import end_at_slope, pack
from mbdgen.runtime.solvers.velocity_iteration import solve_velocities
from mbdgen.runtime.steps.taylor_prediction import coefficient, displace_weighted, predict
from mbdgen.runtime.system.run_workspace import OK, RunWorkspace, State
from mbdgen.runtime.system.system_data import FloatArray


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
    """Advance by one step; ``options`` are alpha, beta, tolerance and iteration limit.

    Rows 0 to 2 contain the slope at the state, its jerk, and the change of the jerk over the last
    step divided by the step size. The others are workspace.
    """
    alpha, beta, tolerance, limit = options[0], options[1], options[2], int(options[3])
    rows, n_q = dense.rows, len(state.q)
    jerk, jump, slope, new, first, known = rows[1], rows[2], rows[3], rows[4], rows[5], rows[6]
    if dense.times[0] == 0.0:
        status = exact_jerk(kernels, work, state, parts, dense, jerk)
        if status != OK:
            return status
    t, ratio = state.clock[0] + h, coefficient(h, 2) * beta
    pack(state, dense, first)
    predict(rows, 0, 2, h, n_q, first)
    for i in range(n_q, len(first)):
        known[i] = first[i] - ratio * jerk[i]
    displace_weighted(rows, 2, h, alpha, state.q)
    for i in range(n_q):
        dense.y[i] = state.q[i]
    status = solve_velocities(
        kernels, work, state, parts, dense, t, first, known, slope, new, ratio, tolerance, limit
    )
    if status == OK:
        status = end_at_slope(kernels, work, state, dense, parts, slope)
    if status == OK and dense.sizes[PROJECTS] != 0:
        status = exact_jerk(kernels, work, state, parts, dense, new)
    if status != OK:
        return status
    for i in range(n_q, len(first)):
        jump[i] = (new[i] - jerk[i]) / h
        jerk[i] = new[i]
    dense.times[0] = 1.0
    return OK
