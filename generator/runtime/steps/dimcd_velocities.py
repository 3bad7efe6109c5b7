"""Nonholonomic constraints in DIMCD: differences of positions satisfy the rolling conditions.

``psi(t, q, v) = 0`` holds at the state with ``v = v_k + c_v (x+ - x)``: for rolling that is
``psi_v(x) (x+ - x-) = 0``, linear in ``x+``. In the first step ``v`` is given; the constraint
is then imposed at the midpoint of the step, ``psi(t + h/2, (x + x+)/2, (x+ - x)/h) = 0``.
"""

from mbdgen.runtime.program.compiled_functions import separate
from mbdgen.runtime.program.kernel_abi import KERNELS, Kernels
from mbdgen.runtime.system.kernel_calls import evaluate_matrix, evaluate_rates
from mbdgen.runtime.system.run_workspace import (
    INT_ARRAY,
    OK,
    REAL_ARRAY,
    REAL_TABLE,
    STATE,
    WORK,
    RunWorkspace,
    State,
)
from mbdgen.runtime.system.system_data import FloatArray, IntArray
from mbdgen.subset import types

_REAL = types.float64
# Rows of the workspace, after those of the step.
MIDDLE, RATE = 4, 5


@separate(
    types.int64(
        *(KERNELS, WORK, STATE, _REAL, _REAL, REAL_ARRAY),
        *(INT_ARRAY, REAL_TABLE, REAL_ARRAY),
    )
)
def roll_ahead(
    kernels: Kernels,
    work: RunWorkspace,
    state: State,
    h: float,
    c_v: float,
    ahead: FloatArray,
    places: IntArray,
    H: FloatArray,
    violation: FloatArray,
) -> int:
    """Write nonholonomic rows to ``H`` and ``violation``, divided by the weight of ``v``."""
    t, q, v, n_q = state.clock[0], state.q, state.v, len(ahead)
    of_q, of_v = 0.0, c_v
    if c_v == 0.0:
        t, q, v = t + 0.5 * h, work.scratch[MIDDLE], work.scratch[RATE]
        of_q, of_v = 0.5, 1.0 / h
        for i in range(n_q):
            q[i] = 0.5 * (state.q[i] + ahead[i])
            v[i] = (ahead[i] - state.q[i]) / h
    status = evaluate_rates(kernels, work, t, q, v, state.a, state.lam)
    if status != OK:
        return status
    work.weights[0], work.weights[1], work.weights[2] = of_q, of_v, 0.0
    status = evaluate_matrix(kernels, work, t, q, v, state.a, state.lam)
    for j in range(n_q):
        for p in range(work.indptr[j], work.indptr[j + 1]):
            if work.holonomic[work.indices[p]] == 0.0:
                H[-1 - places[work.indices[p]], j] = work.values[p]
    for row in work.velocity_rows:
        violation[-1 - places[row]] = -work.rates[row] / of_v
    return status
