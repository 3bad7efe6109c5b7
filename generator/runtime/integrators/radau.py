"""Radau IIA with three stages: implicit Runge-Kutta method of order 5, stiffly accurate, L-stable.

The stages of `mbdgen.runtime.solvers.coupled_stages` are solved together by Newton's method on one
dense system of three times the unknowns. The last stage is the end of the step. For index 3 without
projection positions keep order 5, velocities have order 3 and accelerations order 2; on index 2
accelerations have order 3.
"""

import numpy as np

from mbdgen.runtime.integrators.base import NEWTON_OPTIONS, Method
from mbdgen.runtime.program.kernel_abi import Kernels
from mbdgen.runtime.solvers.dense_workspace import DenseWorkspace
from mbdgen.runtime.solvers.scheme_functions import SchemeFunctions, general_step
from mbdgen.runtime.solvers.step_finalisation import end_implicit
from mbdgen.runtime.stepping.error_estimators import LeftByStep
from mbdgen.runtime.steps.radau_step import radau_error, radau_step
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
    tolerance, limit = options[0], int(options[1])
    found = np.empty((4, len(state.q)))
    for k in range(len(state.q)):
        found[0, k] = state.a[k]
    w = dense.numbers
    status = radau_step(kernels, work, state, dense, w, h, tolerance, limit, found[1:])
    if status == OK:
        status = radau_error(kernels, work, state, dense, h, found, dense.rows[0])
    return status if status != OK else end_implicit(kernels, work, state, dense, parts)


METHOD = Method(
    name="radau",
    formulation="index3",
    order=5,
    general=__name__,
    needs="stages",
    rows=1,
    estimate=LeftByStep(power=4, true_power=6),
    options=NEWTON_OPTIONS,
    orders={"position": 3},
    damps=lambda values: True,
    text="implicit Runge-Kutta, three coupled stages, order 5; suited to very stiff forces",
    source="E. Hairer, G. Wanner: Solving ordinary differential equations II: stiff and "
    "differential-algebraic problems, Springer (1996), section IV.8.",
)
