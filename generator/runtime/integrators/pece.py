"""Adams-Bashforth-Moulton predictor-corrector of order 1 to 5: ``P(EC)^n E``.

The predictor is that of `adams`; each correction evaluates the slope ``f`` at the end and takes

``y+ = y + h (w_0 f + sum_(j > 0) w_j f_(n+1-j))``,  ``w_j = int_0^1 L_j ds``

through the end and one earlier instant less. One correction is usual; more of them are the
fixed-point iteration of the implicit method, which converges for steps that are short compared with
the fastest motion. The last evaluation is the first slope of the next step.

The errors of both formulas are multiples ``e`` of the same derivative, so that the local error of
the corrected end is ``e_c/(e_p - e_c)`` times correction minus prediction (Milne): row `ESTIMATE`
of the workspace contains it after every step, zeros during the start.
"""

import numpy as np

from mbdgen.runtime.integrators.base import Method
from mbdgen.runtime.methods.option import Option
from mbdgen.runtime.program.kernel_abi import Kernels
from mbdgen.runtime.solvers.constraint_levels import take_positions
from mbdgen.runtime.solvers.dense_workspace import DenseWorkspace
from mbdgen.runtime.solvers.scheme_functions import SchemeFunctions, general_step, slope_at
from mbdgen.runtime.solvers.step_finalisation import end_explicit, pack
from mbdgen.runtime.steps.adams_slopes import ESTIMATE, ORDER, ROWS, START, add_slopes, start
from mbdgen.runtime.steps.interpolation_weights import integral_weights
from mbdgen.runtime.steps.multistep_history import FREE, instants_in_steps, remember
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
    """Advance by one step."""
    order, corrections, t = int(options[0]), int(options[1]), state.clock[0]
    y, rows = dense.y, dense.rows
    known, f, estimate = rows[FREE], rows[FREE + 1], rows[ESTIMATE]
    if remember(dense, t, rows[0]) < order - 1:
        status = start(kernels, work, state, h, options[2:], parts, dense)
        if status != OK:
            return status
        for i in range(len(y)):
            estimate[i] = 0.0
    else:
        instants, weights = np.empty(order + 1), np.empty(order)
        instants[0] = 1.0
        instants_in_steps(dense, h, instants[1:])
        e_p = integral_weights(instants[1:], weights)
        pack(state, dense, known)
        for i in range(len(y)):
            y[i] = known[i]
        add_slopes(dense, h, weights, 0, y)
        e_c = integral_weights(instants[:order], weights)
        add_slopes(dense, h, weights, 1, known)
        for i in range(len(y)):
            estimate[i] = -y[i]
        for _ in range(corrections):
            status = slope_at(kernels, work, state, dense, parts, t + h, y, f)
            if status != OK:
                return status
            for i in range(len(y)):
                y[i] = known[i] + h * weights[0] * f[i]
        for i in range(len(y)):
            estimate[i] = e_c / (e_p - e_c) * (estimate[i] + y[i])
    state.clock[0] = t + h
    take_positions(state, dense, y)
    return end_explicit(kernels, work, state, dense, parts)


METHOD = Method(
    name="pece",
    formulation="index1",
    order=3,
    general=__name__,
    rows=ROWS,
    options=(
        ORDER,
        Option("corrections", 1.0, 1.0, 100.0, "corrector iterations per step", whole=True),
    ),
    constants=START,
    text="Adams predictor and corrector of order 1 to 5, two evaluations per step",
    source="F. R. Moulton: New methods in exterior ballistics, University of Chicago Press (1926); "
    "W. E. Milne: Numerical integration of ordinary differential equations, "
    "Amer. Math. Monthly 33 (1926) 455-460.",
    presets={"pece": {"corrections": 1}, "iterated": {"corrections": 10}},
)
