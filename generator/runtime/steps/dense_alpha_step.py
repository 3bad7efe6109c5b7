"""Steps of generalised-alpha methods for any formulation, in the form of Arnold and Bruels.

`alpha_step` takes any ``alpha_m`` and ``alpha_f``: `step` uses those of Chung and Hulbert, and
`mbdgen.runtime.integrators.hht` those of Hilber, Hughes and Taylor. The formula and the history are
those of
`mbdgen.runtime.steps.newmark_family`.
"""

from mbdgen.runtime.program.compiled_functions import separate
from mbdgen.runtime.program.kernel_abi import KERNELS, Kernels
from mbdgen.runtime.solvers.dense_workspace import DENSE, DenseWorkspace
from mbdgen.runtime.solvers.scheme_functions import PARTS, SchemeFunctions, general_step, solve_at
from mbdgen.runtime.solvers.step_finalisation import end_implicit
from mbdgen.runtime.steps.newmark_family import alpha_weights, alphas_of, begin_alpha, keep_alpha
from mbdgen.runtime.system.run_workspace import OK, STATE, WORK, RunWorkspace, State
from mbdgen.runtime.system.system_data import FloatArray
from mbdgen.subset import types

_REAL = types.float64


@separate(types.int64(KERNELS, WORK, STATE, *(_REAL,) * 4, types.int64, PARTS, DENSE))
def alpha_step(
    kernels: Kernels,
    work: RunWorkspace,
    state: State,
    h: float,
    alpha_m: float,
    alpha_f: float,
    tolerance: float,
    limit: int,
    parts: SchemeFunctions,
    dense: DenseWorkspace,
) -> int:
    """Advance by one step."""
    q_known, v_known, s_known = work.scratch[0], work.scratch[1], work.scratch[2]
    c_q, c_v, c_s = alpha_weights(alpha_m, alpha_f, h)
    begin_alpha(work.kept[0], state, h, alpha_m, alpha_f, q_known, v_known, s_known)
    t = state.clock[0] + h
    status = solve_at(kernels, work, state, dense, parts, t, c_q, c_v, tolerance, limit)
    if status == OK:
        status = end_implicit(kernels, work, state, dense, parts)
    if status == OK:
        keep_alpha(work.kept[0], state, h, c_s, s_known)
    return status


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
    """Advance by one step; see `mbdgen.runtime.integrators.generalized_alpha`."""
    rho, tolerance, limit = options[0], options[1], int(options[2])
    alpha_m, alpha_f = alphas_of(rho)
    return alpha_step(kernels, work, state, h, alpha_m, alpha_f, tolerance, limit, parts, dense)
