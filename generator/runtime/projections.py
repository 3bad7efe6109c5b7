"""Compiled projections onto the constraints; all use the factors of ``[M, -G^T; H, eps]``.

Each solves ``[M, -G^T; H, eps] [d; mu] = [0; -violation]``: the change ``d`` is the smallest in the
metric of the mass matrix. The violation is evaluated anew in every pass, therefore neither ``eps``
nor factors that belong to a neighbouring position leave an error behind.
"""

from numba import njit, types

from mbdgen.runtime.abi import KERNELS
from mbdgen.runtime.equations import (
    evaluate_rates,
    evaluate_residual,
    largest,
    largest_constraint,
)
from mbdgen.runtime.linear import FACTORS, solve
from mbdgen.runtime.work import NOT_CONVERGED, NOT_FINITE, OK, REAL_ARRAY, STATE, WORK

PASSES = 6
ROUND_OFF = 1e-13

_ARGUMENTS = (KERNELS, WORK, FACTORS, STATE)


@njit(types.void(WORK, REAL_ARRAY, types.int64), cache=True)
def oppose(work, violation, offset):  # type: ignore[no-untyped-def]
    """``work.rhs <- [0; -violation]``."""
    work.rhs[:] = 0.0
    for row in work.rows:
        work.rhs[row] = -violation[offset + row]


@njit(types.int64(*_ARGUMENTS), cache=True)
def project_position(kernels, work, factors, state):  # type: ignore[no-untyped-def]
    """Move ``q`` until ``phi(t, q) = 0``."""
    t, q, n_q = state.clock[0], state.q, len(state.q)
    before = 0.0
    for k in range(PASSES):
        status = evaluate_residual(kernels, work, t, q, state.v, state.a, state.lam)
        if status != OK:
            return status
        size = largest_constraint(work, work.residual, 0)
        if size <= ROUND_OFF * (1.0 + largest(q)):
            return OK
        if k > 0 and not size < 0.5 * before:
            break
        before = size
        oppose(work, work.residual, 0)
        solve(factors, work.rhs, work.x)
        for i in range(n_q):
            q[i] += work.x[i]
    return OK if before <= 1e-10 * (1.0 + largest(q)) else NOT_CONVERGED


@njit(types.int64(*_ARGUMENTS), cache=True)
def project_velocity(kernels, work, factors, state):  # type: ignore[no-untyped-def]
    """Change ``v`` until ``phi_dot(t, q, v) = 0``."""
    t, q, v = state.clock[0], state.q, state.v
    before = 0.0
    for k in range(PASSES):
        status = evaluate_rates(kernels, work, t, q, v, work.zero, state.lam)
        if status != OK:
            return status
        size = largest_constraint(work, work.rates, 0)
        if size <= ROUND_OFF * (1.0 + largest(v)):
            break
        if k > 0 and not size < 0.5 * before:
            break
        before = size
        oppose(work, work.rates, 0)
        solve(factors, work.rhs, work.x)
        for i in range(len(v)):
            v[i] += work.x[i]
    return OK


@njit(types.int64(*_ARGUMENTS), cache=True)
def solve_accelerations(kernels, work, factors, state):  # type: ignore[no-untyped-def]
    """Accelerations and multipliers: ``M a - f - G^T lam = 0`` and ``phi_ddot(t, q, v, a) = 0``.

    The multipliers start from zero: with redundant constraints their undetermined part stays zero
    instead of collecting round-off from step to step.
    """
    t, q, v, a, lam = state.clock[0], state.q, state.v, state.a, state.lam
    n_q, n = len(q), len(work.x)
    lam[:] = 0.0
    for _ in range(PASSES):
        status = evaluate_residual(kernels, work, t, q, v, a, lam)
        if status == OK:
            status = evaluate_rates(kernels, work, t, q, v, a, lam)
        if status != OK:
            return status
        for i in range(n):
            work.rhs[i] = -work.residual[i]
        for row in work.rows:
            work.rhs[row] = -work.rates[n + row]
        solve(factors, work.rhs, work.x)
        for i in range(n_q):
            a[i] += work.x[i]
        for i in range(n - n_q):
            lam[i] += work.x[n_q + i]
        change = largest(work.x)
        if not change <= 1e300:
            return NOT_FINITE
        if change <= 1e-12 * (1.0 + max(largest(a), largest(lam))):
            break
    return OK
