"""Adams-Bashforth methods (explicit multistep) of order 1 to 5: one evaluation per step."""

import numpy as np

from mbdgen.runtime.integrators.base import Method
from mbdgen.runtime.program.kernel_abi import Kernels
from mbdgen.runtime.solvers.constraint_levels import take_positions
from mbdgen.runtime.solvers.dense_workspace import DenseWorkspace
from mbdgen.runtime.solvers.scheme_functions import SchemeFunctions, general_step
from mbdgen.runtime.solvers.step_finalisation import end_explicit, pack
from mbdgen.runtime.steps.adams_slopes import ORDER, ROWS, START, add_slopes, start
from mbdgen.runtime.steps.interpolation_weights import integral_weights
from mbdgen.runtime.steps.multistep_history import instants_in_steps, remember
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
    """``y+ = y + h sum_j w_j f_(n-j)``; see `mbdgen.runtime.steps.adams_slopes`."""
    order, t = int(options[0]), state.clock[0]
    if remember(dense, t, dense.rows[0]) < order - 1:
        status = start(kernels, work, state, h, options[1:], parts, dense)
        if status != OK:
            return status
    else:
        instants, weights = np.empty(order), np.empty(order)
        instants_in_steps(dense, h, instants)
        integral_weights(instants, weights)
        pack(state, dense, dense.y)
        add_slopes(dense, h, weights, 0, dense.y)
    state.clock[0] = t + h
    take_positions(state, dense, dense.y)
    return end_explicit(kernels, work, state, dense, parts)


METHOD = Method(
    name="adams",
    formulation="index1",
    order=3,
    general=__name__,
    rows=ROWS,
    options=(ORDER,),
    constants=START,
    text="Adams-Bashforth: explicit multistep method of order 1 to 5, one evaluation per step",
    source="F. Bashforth, J. C. Adams: An attempt to test the theories of capillary action, "
    "Cambridge University Press (1883); variable steps: E. Hairer, S. P. Norsett, G. Wanner: "
    "Solving ordinary differential equations I, Springer (1993), section III.5.",
)
