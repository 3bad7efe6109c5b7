"""Backward differentiation formulas (BDF) of order 1 to 5, with variable step size.

``a+ = sum_j d_j v_(n+1-j)/h``,  ``v+ = sum_j d_j q_(n+1-j)/h``,  ``d_j = L_j'(1)``

are the slopes of the polynomials through the new and earlier instants. Orders 1 and 2 are A-stable;
higher ones are unstable for some weakly damped oscillations.

The starting steps are those of Radau IIA on accelerations, consistent for any formulation; then the
formulation is imposed on their end, which changes it by the error of the step.
"""

import numpy as np

from mbdgen.runtime.integrators.base import NEWTON_OPTIONS, Method
from mbdgen.runtime.methods.option import Option
from mbdgen.runtime.program.kernel_abi import Kernels
from mbdgen.runtime.solvers.constraint_combination import of_accelerations
from mbdgen.runtime.solvers.dense_workspace import DenseWorkspace
from mbdgen.runtime.solvers.scheme_functions import SchemeFunctions, general_step, solve_at
from mbdgen.runtime.solvers.step_finalisation import end_implicit, pack
from mbdgen.runtime.steps.interpolation_weights import slope_weights
from mbdgen.runtime.steps.multistep_history import (
    EARLIER,
    FREE,
    instants_in_steps,
    remember,
    row_of,
)
from mbdgen.runtime.steps.radau_step import radau_step
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
    order, tolerance, limit = int(options[0]), options[1], int(options[2])
    q_known, v_known = work.scratch[0], work.scratch[1]
    t, n_q = state.clock[0], len(state.q)
    pack(state, dense, dense.y)
    if remember(dense, t, dense.y) < order - 1:
        w = of_accelerations()
        found = np.empty((3, n_q))
        status = radau_step(kernels, work, state, dense, w, h, tolerance, limit, found)
        if status != OK:
            return status
        c = 0.5 * h
        for i in range(n_q):
            q_known[i] = state.q[i] - c * c * state.a[i]
            v_known[i] = state.v[i] - c * state.a[i]
    else:
        instants, d = np.empty(order + 1), np.empty(order + 1)
        instants[0] = 1.0
        instants_in_steps(dense, h, instants[1:])
        slope_weights(instants, d)
        c = h / d[0]
        for i in range(n_q):
            q_known[i], v_known[i] = 0.0, 0.0
            for j in range(order):
                past, weight = dense.rows[row_of(j)], d[1 + j] / d[0]
                q_known[i] -= weight * past[i]
                v_known[i] -= weight * past[n_q + i]
            q_known[i] += c * v_known[i]
    status = solve_at(kernels, work, state, dense, parts, t + h, c * c, c, tolerance, limit)
    return status if status != OK else end_implicit(kernels, work, state, dense, parts)


METHOD = Method(
    name="bdf",
    formulation="index3",
    order=2,
    general=__name__,
    needs="solve",
    rows=FREE,
    options=(
        Option("order", 2.0, 1.0, EARLIER + 1.0, "order of the formula", whole=True),
        *NEWTON_OPTIONS,
    ),
    damps=lambda values: True,
    text="backward differentiation formulas of order 1 to 5, one solution per step; damps fast "
    "oscillations",
    source="C. W. Gear: Numerical initial value problems in ordinary differential equations, "
    "Prentice-Hall (1971); variable steps and constraints: K. E. Brenan, S. L. Campbell, "
    "L. R. Petzold: Numerical solution of initial-value problems in differential-algebraic "
    "equations, North-Holland (1989), chapter 5.",
)
