"""Backward (implicit) Euler method: order 1, L-stable, strong numerical damping.

``q+ = q + h v+``,  ``v+ = v + h a+``
"""

from mbdgen.runtime.integrators.base import NEWTON_OPTIONS, Method
from mbdgen.runtime.program.kernel_abi import Kernels
from mbdgen.runtime.solvers.dense_workspace import DenseWorkspace
from mbdgen.runtime.solvers.scheme_functions import SchemeFunctions, general_step, solve_at
from mbdgen.runtime.solvers.step_finalisation import end_implicit
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
    """Advance by one step; see `mbdgen.runtime.solvers.scheme_functions`."""
    q_known, v_known = work.scratch[0], work.scratch[1]
    for i in range(len(state.q)):
        q_known[i] = state.q[i] + h * state.v[i]
        v_known[i] = state.v[i]
    t, tolerance, limit = state.clock[0] + h, options[0], int(options[1])
    status = solve_at(kernels, work, state, dense, parts, t, h * h, h, tolerance, limit)
    return status if status != OK else end_implicit(kernels, work, state, dense, parts)


METHOD = Method(
    name="backward-euler",
    formulation="index3",
    order=1,
    general=__name__,
    needs="solve",
    relates_z=True,
    options=NEWTON_OPTIONS,
    damps=lambda values: True,
    text="implicit Euler method, order 1; damps all fast oscillations",
    source="C. F. Curtiss, J. O. Hirschfelder: Integration of stiff equations, "
    "Proc. Natl. Acad. Sci. USA 38 (1952) 235-243.",
)
