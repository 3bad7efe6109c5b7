"""Forward sensitivity (direct differentiation) of steps: compiled variations of their parts.

Every part of a step is the solution ``x`` of equations ``F(x, theta) = 0``, and

``F_x dx = -F_theta dtheta``

has the matrix already factorised by the step. So a variation costs one evaluation of a variation
kernel, which gives the right-hand side, and one linear solution.
"""

from mbdgen.runtime.linalg.linear_solver import FACTORS, Factors, refine, solve
from mbdgen.runtime.program.compiled_functions import internal, separate
from mbdgen.runtime.program.kernel_abi import KERNELS, Kernels
from mbdgen.runtime.sensitivities.variation_workspace import VARIATIONS, Variations
from mbdgen.runtime.stepping.newton_iteration import KEEP_LIMIT
from mbdgen.runtime.system.kernel_calls import call, factorise_at, named_status
from mbdgen.runtime.system.run_workspace import (
    OK,
    REAL_TABLE,
    REPIVOT_TANGENT,
    SINGULAR_TANGENT,
    STATE,
    WORK,
    RunWorkspace,
    State,
)
from mbdgen.runtime.system.system_data import FloatArray
from mbdgen.subset import types

REFINEMENTS = 40
TINY = 1e-300
EXACT = 1e-15
"""Part of the solution that is missing at most."""


@internal
def place(room: Variations, state: State) -> None:
    """Let kernels of variations be evaluated at a state."""
    for i in range(len(state.q)):
        room.at_q[i], room.at_v[i], room.at_a[i] = state.q[i], state.v[i], state.a[i]
    for i in range(len(state.lam)):
        room.at_lam[i] = state.lam[i]


@internal
def direct(
    room: Variations, k: int, q: FloatArray, v: FloatArray, a: FloatArray, lam: FloatArray
) -> None:
    """Let them be evaluated along row ``k`` of these tables."""
    n_q, n_lam = q.shape[1], lam.shape[1]
    for i in range(n_q):
        room.at_q[n_q + i], room.at_v[n_q + i], room.at_a[n_q + i] = q[k, i], v[k, i], a[k, i]
    for i in range(n_lam):
        room.at_lam[n_lam + i] = lam[k, i]


@internal
def vary_residual(kernels: Kernels, work: RunWorkspace, room: Variations, t: float, k: int) -> int:
    """``room.residual <-`` variation of ``[M a - f - G^T lam; phi]``."""
    at, kernel, p = room, kernels.residual_variation, work.p
    return call(kernel, t, at.at_q, at.at_v, at.at_a, at.at_lam, at.p[k], p, work.m, at.residual)


@internal
def vary_rates(kernels: Kernels, work: RunWorkspace, room: Variations, t: float, k: int) -> int:
    """``room.rates <-`` variations of ``(phi_dot, phi_ddot)``."""
    at, kernel, p = room, kernels.rates_variation, work.p
    return call(kernel, t, at.at_q, at.at_v, at.at_a, at.at_lam, at.p[k], p, work.m, at.rates)


@separate(types.int64(KERNELS, WORK, VARIATIONS, STATE, REAL_TABLE, REAL_TABLE))
def vary_mass(
    kernels: Kernels,
    work: RunWorkspace,
    room: Variations,
    state: State,
    q: FloatArray,
    v: FloatArray,
) -> int:
    """Keep ``[M, -G^T; H, 0]``, which has just been factorised at a state, and its variations.

    ``work.values`` are still those of the matrix; ``q`` and ``v`` are the variations of the state.
    """
    for i in range(len(room.mass_values)):
        room.mass_values[i] = work.values[i]
    for i in range(len(work.diagonal)):
        room.mass_values[work.diagonal[i]] -= work.eps[i]
    place(room, state)
    t, at, status = state.clock[0], room, OK
    for k in range(len(room.p)):
        direct(room, k, q, v, room.still, room.calm)
        if status == OK:
            kernel, p, out = kernels.mass_variation, work.p, at.mass_changes[k]
            status = call(kernel, t, at.at_q, at.at_v, at.at_a, at.at_lam, at.p[k], p, work.m, out)
    return status


@internal
def solve_exactly(
    work: RunWorkspace, factors: Factors, values: FloatArray, rhs: FloatArray, x: FloatArray
) -> None:
    """Solve ``A x = rhs`` with the factors of a matrix that is nearly ``A``.

    Such as ``A`` with ``eps`` on the diagonal, or that of an earlier iteration of Newton's method.
    """
    n, n_q, left = len(x), len(x) - len(work.diagonal), factors.residual
    for i in range(n):
        x[i] = 0.0
    before = 1.0
    for count in range(REFINEMENTS):
        refine(factors, work.indptr, work.indices, values, rhs, x)
        of_a, of_lam, a, lam = 0.0, 0.0, 0.0, 0.0
        for i in range(n_q):
            of_a, a = max(of_a, abs(left[i])), max(a, abs(x[i]))
        for i in range(n_q, n):
            of_lam, lam = max(of_lam, abs(left[i])), max(lam, abs(x[i]))
        change = max(of_a / max(a, TINY), of_lam / max(lam, TINY))
        # What is still missing is a part ``change / before`` of the last change.
        if count > 0 and (change * change <= EXACT * before or not change < 0.5 * before):
            break
        before = change


@separate(types.int64(KERNELS, WORK, FACTORS, VARIATIONS, STATE, *[types.float64] * 2))
def vary_implicit(
    kernels: Kernels,
    work: RunWorkspace,
    tangent: Factors,
    room: Variations,
    state: State,
    c_q: float,
    c_v: float,
) -> int:
    """Vary the solution of `mbdgen.runtime.stepping.newton_iteration.solve_step`.

    ``new_q`` and ``new_v`` are variations of what was known; they become those of ``q`` and ``v``.

    ``[M + c_v C + c_q (K + W), -G^T; H, eps] [da; dlam] = -[dr; dphi / c_q]``

    Rows of velocities have ``dpsi / c_v`` there.

    What ``eps`` leaves of the constraints, 1e-10 of a change of order ``h^2``, is removed from the
    velocities by their projection. Large systems keep the factors that they have.
    """
    t, q, v, a, lam, n_q = state.clock[0], state.q, state.v, state.a, state.lam, len(state.q)
    renewed = len(work.x) < KEEP_LIMIT
    if renewed:
        status = factorise_at(kernels, work, tangent, t, q, v, a, lam, c_q, c_v, 1.0)
        if status != OK:
            return named_status(status, REPIVOT_TANGENT, SINGULAR_TANGENT)
    else:
        work.weights[0], work.weights[1], work.weights[2] = c_q, c_v, 1.0
        status = call(kernels.matrix, t, q, v, a, lam, work.weights, work.p, work.m, room.values)
    place(room, state)
    for k in range(len(room.p)):
        direct(room, k, room.new_q, room.new_v, room.still, room.calm)
        if status == OK:
            status = vary_residual(kernels, work, room, t, k)
        for i in range(len(room.rhs)):
            room.rhs[i] = -room.residual[i]
        for row in work.rows:
            room.rhs[row] /= c_q
        if status == OK and len(work.velocity_rows) > 0:
            status = vary_rates(kernels, work, room, t, k)
        for row in work.velocity_rows:
            room.rhs[row] = -room.rates[row] / c_v
        if renewed:
            solve(tangent, room.rhs, room.x)
        else:
            solve_exactly(work, tangent, room.values, room.rhs, room.x)
        for i in range(n_q):  # a and lam are found again when the step has landed
            room.new_q[k, i] += c_q * room.x[i]
            room.new_v[k, i] += c_v * room.x[i]
    return status


@internal
def _copy_accelerations(room: Variations, k: int) -> None:
    """Take the solution for the changes of accelerations and multipliers."""
    n_q = room.q.shape[1]
    for i in range(n_q):
        room.new_a[k, i] = room.x[i]
    for i in range(room.lam.shape[1]):
        room.new_lam[k, i] = room.x[n_q + i]


@separate(types.int64(KERNELS, WORK, VARIATIONS, STATE))
def vary_accelerations(kernels: Kernels, work: RunWorkspace, room: Variations, state: State) -> int:
    """Vary accelerations and multipliers at a state whose ``new_q``, ``new_v`` are known.

    ``[M, -G^T; H, 0] [da; dlam] = -[dr; dphi_ddot]``
    """
    t, n_q, n, status = state.clock[0], len(state.q), len(room.x), OK
    place(room, state)
    for k in range(len(room.p)):
        direct(room, k, room.new_q, room.new_v, room.still, room.calm)
        if status == OK:
            status = vary_residual(kernels, work, room, t, k)
        if status == OK:
            status = vary_rates(kernels, work, room, t, k)
        for i in range(n):
            room.rhs[i] = -room.residual[i]
        for row in work.rows:
            room.rhs[row] = -room.rates[n + row]
        solve(room.mass, room.rhs, room.x)
        _copy_accelerations(room, k)
        # As for the accelerations themselves: what eps has left of H da is made up for.
        for i in range(n_q):
            room.rhs[i] = 0.0
        for i in range(n - n_q):
            room.rhs[n_q + i] = work.eps[i] * room.x[n_q + i]
        solve(room.mass, room.rhs, room.x)
        for i in range(n_q):
            room.new_a[k, i] += room.x[i]
        for i in range(n - n_q):
            room.new_lam[k, i] += room.x[n_q + i]
    return status
