"""Exact jerks: time derivatives of accelerations, from differentiated equations of motion."""

from mbdgen.runtime.program.compiled_functions import separate
from mbdgen.runtime.program.kernel_abi import KERNELS, Kernels
from mbdgen.runtime.solvers.constraint_combination import of_velocities
from mbdgen.runtime.solvers.dense_workspace import COMPLIANCE, DENSE, OF_PHI_DDOT, DenseWorkspace
from mbdgen.runtime.solvers.saddle_point import fill_matrix
from mbdgen.runtime.solvers.scheme_functions import PARTS, SchemeFunctions
from mbdgen.runtime.system.kernel_calls import call, evaluate_rates
from mbdgen.runtime.system.run_workspace import OK, REAL_ARRAY, STATE, WORK, RunWorkspace, State
from mbdgen.runtime.system.system_data import FloatArray
from mbdgen.subset import types


@separate(types.int64(KERNELS, WORK, STATE, PARTS, DENSE, REAL_ARRAY))
def exact_jerk(
    kernels: Kernels,
    work: RunWorkspace,
    state: State,
    parts: SchemeFunctions,
    dense: DenseWorkspace,
    out: FloatArray,
) -> int:
    """``out[n_q:] <-`` the rate of the accelerations at a state with evaluated slope.

    ``M j - G^T lam_dot = -(r_t + r_q v + r_v a)``, and
    ``w_2 phi_dddot + w_1 phi_ddot + w_0 phi_dot + d lam_dot = 0`` for the imposed combination of a
    formulation.
    """
    t, q, v, a, lam = state.clock[0], state.q, state.v, state.a, state.lam
    n_q, weights, rhs = len(q), dense.numbers, dense.rhs
    status = call(kernels.jerks, t, q, v, a, lam, work.weights, work.p, work.m, rhs)
    if status == OK:
        status = evaluate_rates(kernels, work, t, q, v, a, lam)
    if status == OK:
        status = fill_matrix(kernels, work, state, dense, 0.0, 0.0)
    if status != OK:
        return status
    n, weight = len(work.x), weights[OF_PHI_DDOT]
    for row in work.rows:
        of_phi, of_phi_dot = of_velocities(work, weights, row)
        lower = of_phi_dot * work.rates[n + row] + of_phi * work.rates[row]
        rhs[row] += lower / weight
    for i in range(n):
        rhs[i] = -rhs[i]
    for i in range(n_q, n):
        dense.K[i, i] = weights[COMPLIANCE] / weight
    status = parts.eliminate(work, dense)
    for i in range(len(out)):
        out[i] = dense.x[i - n_q] if n_q <= i < 2 * n_q else 0.0
    return status
