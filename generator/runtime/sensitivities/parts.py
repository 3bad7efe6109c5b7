"""Compiled parts of sensitive steps: variations of what steps solve, evaluate and correct.

Whatever a step finds, it finds as the solution ``x`` of equations ``F(x, theta) = 0``, and

``F_x dx = -F_theta dtheta``

has the matrix that the step has factorised already. So a variation costs one evaluation of a
kernel of variations, which gives the right-hand side, and one solution.
"""

from numba import types

from mbdgen.runtime.abi import KERNELS, Kernels
from mbdgen.runtime.compiled import internal, separate
from mbdgen.runtime.data import FloatArray
from mbdgen.runtime.equations import call, largest
from mbdgen.runtime.linear import FACTORS, Factors, refine
from mbdgen.runtime.sensitivities.room import VARIATIONS, Variations
from mbdgen.runtime.work import OK, REAL_ARRAY, REAL_TABLE, STATE, WORK, State, Work

REFINEMENTS = 40
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


@separate(types.int64(KERNELS, WORK, VARIATIONS, types.float64, types.int64))
def vary_residual(kernels: Kernels, work: Work, room: Variations, t: float, k: int) -> int:
    """``room.residual <-`` variation of ``[M a - f - G^T lam; phi]``."""
    at, kernel, p = room, kernels.residual_variation, work.p
    return call(
        kernel, t, at.at_q, at.at_v, at.at_a, at.at_lam, at.p[k], p, work.m, at.residual
    )


@separate(types.int64(KERNELS, WORK, VARIATIONS, types.float64, types.int64))
def vary_rates(kernels: Kernels, work: Work, room: Variations, t: float, k: int) -> int:
    """``room.rates <-`` variations of ``(phi_dot, phi_ddot)``."""
    at, kernel, p = room, kernels.rates_variation, work.p
    return call(kernel, t, at.at_q, at.at_v, at.at_a, at.at_lam, at.p[k], p, work.m, at.rates)


@separate(types.int64(KERNELS, WORK, VARIATIONS, STATE, REAL_TABLE, REAL_TABLE))
def vary_mass(
    kernels: Kernels, work: Work, room: Variations, state: State, q: FloatArray, v: FloatArray
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


@separate(types.void(WORK, FACTORS, REAL_ARRAY, REAL_ARRAY, REAL_ARRAY))
def solve_exactly(
    work: Work, factors: Factors, values: FloatArray, rhs: FloatArray, x: FloatArray
) -> None:
    """Solve ``A x = rhs`` with the factors of a matrix that is nearly ``A``.

    Such as ``A`` with ``eps`` on the diagonal, or that of an earlier iteration of Newton's method.
    """
    n, n_q = len(x), len(x) - len(work.diagonal)
    for i in range(n):
        x[i] = 0.0
    before = 1.0
    for count in range(REFINEMENTS):
        refine(factors, work.indptr, work.indices, values, rhs, x)
        change = 0.0
        for first, last in ((0, n_q), (n_q, n)):
            size = largest(x[first:last])
            if size > 0.0:
                change = max(change, largest(factors.residual[first:last]) / size)
        # What is still missing is a part ``change / before`` of the last change.
        if count > 0 and (change * change <= EXACT * before or not change < 0.5 * before):
            break
        before = change


@separate(types.int64(KERNELS, WORK, FACTORS, VARIATIONS, STATE, *[types.float64] * 2))
def vary_implicit(
    kernels: Kernels,
    work: Work,
    tangent: Factors,
    room: Variations,
    state: State,
    c_q: float,
    c_v: float,
) -> int:
    """Vary the solution of `mbdgen.runtime.newton.solve_step`.

    ``new_q`` and ``new_v`` are variations of what was known; they become those of ``q`` and ``v``.

    ``[M + c_v C + c_q (K + W), -G^T; H, 0] [da; dlam] = -[dr; dphi / c_q]``
    """
    work.weights[0], work.weights[1], work.weights[2] = c_q, c_v, 1.0
    t, q, v, a, lam, n_q = state.clock[0], state.q, state.v, state.a, state.lam, len(state.q)
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
        solve_exactly(work, tangent, room.values, room.rhs, room.x)
        for i in range(n_q):
            room.new_a[k, i] = room.x[i]
            room.new_q[k, i] += c_q * room.x[i]
            room.new_v[k, i] += c_v * room.x[i]
        for i in range(len(lam)):
            room.new_lam[k, i] = room.x[n_q + i]
    return status


@separate(types.int64(KERNELS, WORK, VARIATIONS, STATE))
def vary_accelerations(kernels: Kernels, work: Work, room: Variations, state: State) -> int:
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
        solve_exactly(work, room.mass, room.mass_values, room.rhs, room.x)
        for i in range(n_q):
            room.new_a[k, i] = room.x[i]
        for i in range(n - n_q):
            room.new_lam[k, i] = room.x[n_q + i]
    return status
