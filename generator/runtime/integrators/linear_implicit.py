"""Linearly implicit Newmark method: one Newton iteration per step, fixed cost for real time.

From the prediction ``a+ = a`` one solution of

``[M + c_v C + c_q (K + W), -G^T; H, eps] [da; dlam] = -[r; phi / c_q]``

has errors of ``h^4`` in positions, less than those of the formula, so that the order stays 2. The
same factorisation then projects velocities onto ``phi_dot = 0`` and accelerations onto ``phi_ddot =
0``; the residual ``phi`` enters the right-hand side of the next step, which prevents drift.
"""

from mbdgen.runtime.integrators.base import Method, compiled_step, newmark_options
from mbdgen.runtime.linalg.linear_solver import Factors, solve
from mbdgen.runtime.program.kernel_abi import Kernels
from mbdgen.runtime.steps.newmark_family import newmark_known
from mbdgen.runtime.system.kernel_calls import (
    evaluate_rates,
    evaluate_residual,
    factorise_at,
    named_status,
)
from mbdgen.runtime.system.run_workspace import (
    OK,
    REPIVOT_TANGENT,
    SINGULAR_TANGENT,
    RunWorkspace,
    State,
)
from mbdgen.runtime.system.system_data import FloatArray

BETA, GAMMA = 0.25, 0.5


@compiled_step
def step(
    kernels: Kernels,
    work: RunWorkspace,
    state: State,
    h: float,
    options: FloatArray,
    tangent: Factors,
    mass: Factors,
) -> int:
    """Advance by one step; see `mbdgen.runtime.integrators.base`."""
    c_q, c_v, t = options[0] * h * h, options[1] * h, state.clock[0] + h
    q, v, a, lam, n_q = state.q, state.v, state.a, state.lam, len(state.q)
    q_known, v_known = work.scratch[0], work.scratch[1]
    newmark_known(state, h, options[0], options[1], q_known, v_known)
    for i in range(n_q):
        q[i] = q_known[i] + c_q * a[i]
        v[i] = v_known[i] + c_v * a[i]
    status = evaluate_residual(kernels, work, t, q, v, a, lam)
    if status == OK:
        status = factorise_at(kernels, work, tangent, t, q, v, a, lam, c_q, c_v, 1.0)
        status = named_status(status, REPIVOT_TANGENT, SINGULAR_TANGENT)
    if status != OK:
        return status
    for i in range(len(work.x)):
        work.rhs[i] = -work.residual[i]
    for row in work.rows:
        work.rhs[row] /= c_q
    solve(tangent, work.rhs, work.x)
    for i in range(n_q):
        a[i] += work.x[i]
        q[i] = q_known[i] + c_q * a[i]
        v[i] = v_known[i] + c_v * a[i]
    for i in range(len(lam)):
        lam[i] += work.x[n_q + i]
    state.clock[0] = t
    status = evaluate_rates(kernels, work, t, q, v, a, lam)
    if status != OK:
        return status
    for i in range(len(work.x)):
        work.rhs[i] = 0.0
    for row in work.rows:
        work.rhs[row] = -work.rates[row]
    solve(tangent, work.rhs, work.x)
    for i in range(n_q):
        v[i] += work.x[i]
    status = evaluate_rates(kernels, work, t, q, v, a, lam)
    if status == OK:
        status = evaluate_residual(kernels, work, t, q, v, a, lam)
    if status != OK:
        return status
    n = len(work.x)
    for i in range(n):
        work.rhs[i] = -work.residual[i]
    for row in work.rows:
        work.rhs[row] = -work.rates[n + row]
    solve(tangent, work.rhs, work.x)
    for i in range(n_q):
        a[i] += work.x[i]
    for i in range(len(lam)):
        lam[i] += work.x[n_q + i]
    return OK


METHOD = Method(
    name="linear-implicit",
    formulation="index-3 multipliers, one Newton iteration",
    order=2,
    step=step,
    options=newmark_options(BETA, GAMMA, least_gamma=0.5),
    tangent_weights=lambda h, values: (values[0] * h * h, values[1] * h, 1.0),
    order_with=lambda values: 2 if abs(values[1] - 0.5) < 1e-9 else 1,
    kind="implicit",
    levels=(),
    text="linearly implicit: one factorisation and no iteration per step, for real time",
    source="H. H. Rosenbrock: Some general implicit processes for the numerical solution of "
    "differential equations, Comput. J. 5 (1963) 329-330 (the idea: one Newton iteration).",
)
