"""Newmark's method for any formulation."""

from mbdgen.runtime.program.kernel_abi import Kernels
from mbdgen.runtime.solvers.dense_workspace import DenseWorkspace
from mbdgen.runtime.solvers.scheme_functions import SchemeFunctions, general_step
from mbdgen.runtime.steps.collocation_step import collocation_step
from mbdgen.runtime.system.run_workspace import RunWorkspace, State
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
    """Advance by one step; see `mbdgen.runtime.integrators.newmark`."""
    beta, gamma, tolerance, limit = options[0], options[1], options[2], int(options[3])
    return collocation_step(
        kernels, work, state, h, 1.0, beta, gamma, tolerance, limit, parts, dense
    )
