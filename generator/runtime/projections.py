"""Compiled projections onto the constraints; all use the factors of ``[M, -G^T; H, eps]``.

Each solves ``[M, -G^T; H, eps] [d; mu] = [0; -violation]``: the change ``d`` is the smallest in the
metric of the mass matrix. The violation is evaluated anew in every pass, therefore neither ``eps``
nor factors that belong to a neighbouring position leave an error behind.
"""

from numba import types

from mbdgen.runtime.abi import KERNELS, Kernels
from mbdgen.runtime.compiled import internal
from mbdgen.runtime.data import FloatArray
from mbdgen.runtime.equations import (
    evaluate_rates,
    evaluate_residual,
    largest,
    largest_constraint,
)
from mbdgen.runtime.linear import FACTORS, Factors, solve
from mbdgen.runtime.work import NOT_CONVERGED, NOT_FINITE, OK, REAL_ARRAY, STATE, WORK, State, Work

PASSES = 6
ROUND_OFF = 1e-13
TOLERATED = 1e-10
"""Of position constraints, where corrections that make no progress any more may end."""

_ARGUMENTS = (KERNELS, WORK, FACTORS, STATE)


@internal(types.void(WORK, REAL_ARRAY, types.int64))
def oppose(work: Work, violation: FloatArray, offset: int) -> None:
    """``work.rhs <- [0; -violation]``."""
    for i in range(len(work.rhs)):
        work.rhs[i] = 0.0
    for row in work.rows:
        work.rhs[row] = -violation[offset + row]


@internal(types.int64(*_ARGUMENTS))
def project_position(kernels: Kernels, work: Work, factors: Factors, state: State) -> int:
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
    return OK if before <= TOLERATED * (1.0 + largest(q)) else NOT_CONVERGED


@internal(types.int64(*_ARGUMENTS))
def share_reactions(kernels: Kernels, work: Work, factors: Factors, state: State) -> int:
    """Correct ``v`` once along the reaction directions of the position that ``factors`` belong to.

    With the factors of the beginning of a step the velocity correction acts along ``G_n``, while
    the reactions that enforce ``phi(q+) = 0`` act along ``G_{n+1}``: the impulses of both ends are
    then chosen by the constraints, as in RATTLE. The work of the reactions of the trapezoidal rule,
    ``h^3/6 lam' phi''(v, v)`` per step, is cancelled: the energy error that oscillates with ``h^2``
    is gone, what is left is a dissipation of order ``h^3`` (docs/decisions has the numbers). Close
    to a singular position the two directions have nothing to do with each other: the correction is
    undone unless it halves the violation.
    """
    t, q, v = state.clock[0], state.q, state.v
    status = evaluate_rates(kernels, work, t, q, v, work.zero, state.lam)
    if status != OK:
        return status
    before = largest_constraint(work, work.rates, 0)
    oppose(work, work.rates, 0)
    solve(factors, work.rhs, work.x)
    for i in range(len(v)):
        v[i] += work.x[i]
    status = evaluate_rates(kernels, work, t, q, v, work.zero, state.lam)
    if not largest_constraint(work, work.rates, 0) <= 0.5 * before:
        for i in range(len(v)):
            v[i] -= work.x[i]
    return status


@internal(types.int64(*_ARGUMENTS))
def project_velocity(kernels: Kernels, work: Work, factors: Factors, state: State) -> int:
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


@internal(types.int64(*_ARGUMENTS))
def solve_accelerations(kernels: Kernels, work: Work, factors: Factors, state: State) -> int:
    """Accelerations and multipliers: ``M a - f - G^T lam = 0`` and ``phi_ddot(t, q, v, a) = 0``.

    The multipliers start from zero: with redundant constraints their undetermined part stays zero
    instead of collecting round-off from step to step.
    """
    t, q, v, a, lam = state.clock[0], state.q, state.v, state.a, state.lam
    n_q, n = len(q), len(work.x)
    for i in range(n - n_q):
        lam[i] = 0.0
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
