"""Conditionally explicit steps: explicit if accelerations do not depend on velocities.

``w = (v, z)`` and its derivatives ``w_1 = (a, z_dot), .., w_n`` are given at the state.
With ``c_k = h^k / k!``, the prediction ``p_i = w_i + c_1 w_(i+1) + .. + c_(n-i) w_n`` and the jumps
``d+ = w_n+ - w_n``, ``d = w_n - w_n-``:

``q+ = q + h q_dot + c_2 w_1 + .. + c_(n+1) (w_n + (alpha - 1) d)``
``w+ = p_0 + c_n beta d+``
``w_1+ = p_1 + c_(n-1) gamma d+ = g(t+, q+, w+)``     (``d+ = w_1+ - w_1`` for ``n = 1``)
``w_2+ = p_2 + c_(n-2) zeta d+``

The new position is explicit. Its accelerations give ``d+``, and ``d+`` the velocities, by
fixed-point iteration: converged at once if ``g`` does not depend on them.
"""

from mbdgen.runtime.program.compiled_functions import internal
from mbdgen.runtime.program.kernel_abi import Kernels
from mbdgen.runtime.solvers.dense_workspace import DenseWorkspace
from mbdgen.runtime.solvers.scheme_functions import SchemeFunctions, general_step
from mbdgen.runtime.solvers.starting_derivatives import begin_derivatives
from mbdgen.runtime.solvers.step_finalisation import end_at_slope, pack
from mbdgen.runtime.solvers.velocity_iteration import solve_velocities
from mbdgen.runtime.steps.classical_step import classical_step
from mbdgen.runtime.steps.taylor_prediction import coefficient, displace_weighted, predict
from mbdgen.runtime.system.run_workspace import OK, RunWorkspace, State
from mbdgen.runtime.system.system_data import FloatArray


@internal
def _renew(
    dense: DenseWorkspace, options: FloatArray, n: int, n_q: int, h: float, of_slope: float
) -> None:
    """``w_2 .. w_n`` and ``d <-`` the values for the new slope in row 0."""
    rows = dense.rows
    jump, out, p_1 = rows[n], rows[n + 2], rows[n + 3]
    for i in range(n_q, len(jump)):
        jump[i] = (rows[0, i] - p_1[i]) / of_slope
    for k in range(2, n + 1):
        weight = (options[k + 1] if k < n else 1.0) * coefficient(h, n - k)
        predict(rows, k, n, h, n_q, out)
        for i in range(n_q, len(jump)):
            rows[k - 1, i] = out[i] + weight * jump[i]
    for i in range(n_q, len(jump)):
        jump[i] /= h


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
    """Advance by one step; ``options``: weights, tolerance, iteration limit, kind, ``n``.

    Rows ``0 .. n - 1`` contain ``w_1 .. w_n`` at the state, row 0 with ``q_dot`` before it; row
    ``n`` the jump over the step. The others are workspace: a slope, ``p_0``, ``p_1``, part of
    ``w+``.
    """
    n, n_q, rows = int(options[-1]), len(state.q), dense.rows
    tolerance, limit = options[n + 1], int(options[n + 2])
    if options[n + 3] > 0.5:
        return classical_step(kernels, work, state, h, tolerance, limit, parts, dense)
    if dense.times[0] == 0.0:
        status = begin_derivatives(kernels, work, state, h, n, parts, dense)
        if status != OK:
            return status
    slope, p_0, p_1, known = rows[n + 1], rows[n + 2], rows[n + 3], rows[n + 4]
    pack(state, dense, p_0)
    predict(rows, 0, n, h, n_q, p_0)
    predict(rows, 1, n, h, n_q, p_1)
    of_slope = coefficient(h, n - 1) * (options[2] if n > 1 else 1.0)
    ratio = coefficient(h, n) * options[1] / of_slope
    for i in range(n_q, len(known)):
        known[i] = p_0[i] - ratio * p_1[i]
    displace_weighted(rows, n, h, options[0], state.q)
    for i in range(n_q):
        dense.y[i] = state.q[i]
    t = state.clock[0] + h
    no_jerk = slope[:0]
    status = solve_velocities(
        kernels, work, state, parts, dense, t, p_0, known, slope, no_jerk, ratio, tolerance, limit
    )
    if status == OK:
        status = end_at_slope(kernels, work, state, dense, parts, slope)
    if status != OK:
        return status
    _renew(dense, options, n, n_q, h, of_slope)
    dense.times[0] = 1.0
    return OK
