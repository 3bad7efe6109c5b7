"""Taylor method of order 2 for ``y = (q, v)``, with exact second derivatives."""

from mbdgen.runtime.program.kernel_abi import Kernels
from mbdgen.runtime.solvers.dense_workspace import DenseWorkspace
from mbdgen.runtime.solvers.exact_jerk import exact_jerk
from mbdgen.runtime.solvers.scheme_functions import SchemeFunctions, general_step
from mbdgen.runtime.solvers.step_finalisation import end_explicit
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
    """``y+ = y + h y_dot + h^2/2 y_ddot``; row 0: slope at the state, row 1: workspace."""
    slope, jerk, n_q, half = dense.rows[0], dense.rows[1], len(state.q), 0.5 * h * h
    status = exact_jerk(kernels, work, state, parts, dense, jerk)
    if status != OK:
        return status
    for i in range(n_q):
        state.q[i] += h * slope[i] + half * slope[n_q + i]
        state.v[i] += h * slope[n_q + i] + half * jerk[n_q + i]
    state.clock[0] += h
    return end_explicit(kernels, work, state, dense, parts)
