"""Compiled projections onto the constraints; all use the factors of ``[M, -G^T; H, eps]``.

Each solves ``[M, -G^T; H, eps] [d; mu] = [0; -violation]``: the change ``d`` is the smallest in the
metric of the mass matrix. The violation is evaluated anew in every pass, therefore neither ``eps``
nor factors that belong to a neighbouring position leave an error behind.
"""

import numpy as np
from numba import types

from mbdgen.runtime.linalg.factor_storage import SAME
from mbdgen.runtime.linalg.linear_solver import FACTORS, Factors, solve
from mbdgen.runtime.program.compiled_functions import internal, separate
from mbdgen.runtime.program.kernel_abi import KERNELS, Kernels
from mbdgen.runtime.system.kernel_calls import (
    evaluate_rates,
    evaluate_residual,
    factorise_mass,
    largest,
    largest_constraint,
)
from mbdgen.runtime.system.run_workspace import (
    NOT_CONVERGED,
    NOT_FINITE,
    OK,
    REAL_ARRAY,
    STATE,
    WORK,
    RunWorkspace,
    State,
)
from mbdgen.runtime.system.system_data import FloatArray

PASSES = 6
SETTLED = 1e4
"""Errors, in units of `FORCE_ERROR`, above which forces that read reactions have not settled."""
ROUND_OFF = 1e-13
TOLERATED = 1e-10
"""Of position constraints, where corrections that make no progress any more may end."""
FORCE_ERROR = 1e-12
"""Largest residual of the dynamics rows relative to what forces and old accelerations leave."""

STRAY = -1
"""Of `project_step_end`: nothing was done, projections have to."""

_ARGUMENTS = (KERNELS, WORK, FACTORS, STATE)


@internal
def oppose(work: RunWorkspace, violation: FloatArray, offset: int) -> None:
    """``work.rhs <- [0; -violation]``."""
    for i in range(len(work.rhs)):
        work.rhs[i] = 0.0
    for row in work.rows:
        work.rhs[row] = -violation[offset + row]


@internal
def largest_force(work: RunWorkspace) -> float:
    """Largest residual of the dynamics rows: stages need not be on the constraints."""
    for i in range(len(work.rhs)):
        work.rhs[i] = work.residual[i]
    for row in work.rows:
        work.rhs[row] = 0.0
    return largest(work.rhs)


@separate(types.int64(*_ARGUMENTS))
def project_position(kernels: Kernels, work: RunWorkspace, factors: Factors, state: State) -> int:
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


@separate(types.int64(*_ARGUMENTS))
def rattle_velocity_correction(
    kernels: Kernels, work: RunWorkspace, factors: Factors, state: State
) -> int:
    """Correct ``v`` once along the reaction directions of the position that ``factors`` belong to.

    With the factors of the beginning of a step the velocity correction acts along ``G_n``, while
    the reactions that enforce ``phi(q+) = 0`` act along ``G_{n+1}``: the impulses of both ends are
    then chosen by the constraints, as in RATTLE. The work of the reactions of the trapezoidal rule,
    ``h^3/6 lam' phi''(v, v)`` per step, is cancelled: the energy error that oscillates with ``h^2``
    is gone, what is left is a dissipation of order ``h^3`` (docs/decisions has the numbers). Close
    to a singular position the two directions have nothing to do with each other: the correction is
    undone unless it halves the violation. ``work.rates`` belong to the state before and after.
    """
    t, q, v, a, lam = state.clock[0], state.q, state.v, state.a, state.lam
    before = largest_constraint(work, work.rates, 0)
    oppose(work, work.rates, 0)
    solve(factors, work.rhs, work.x)
    for i in range(len(v)):
        v[i] += work.x[i]
    status = evaluate_rates(kernels, work, t, q, v, a, lam)
    if status == OK and not largest_constraint(work, work.rates, 0) <= 0.5 * before:
        for i in range(len(v)):
            v[i] -= work.x[i]
        status = evaluate_rates(kernels, work, t, q, v, a, lam)
    return status


@separate(types.int64(*_ARGUMENTS))
def continue_velocity(kernels: Kernels, work: RunWorkspace, factors: Factors, state: State) -> int:
    """Change ``v`` until ``phi_dot = 0``; ``work.rates`` belong to the state before and after."""
    t, q, v, a, lam = state.clock[0], state.q, state.v, state.a, state.lam
    before = 0.0
    for k in range(PASSES):
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
        status = evaluate_rates(kernels, work, t, q, v, a, lam)
        if status != OK:
            return status
    return OK


@separate(types.int64(*_ARGUMENTS))
def project_velocity(kernels: Kernels, work: RunWorkspace, factors: Factors, state: State) -> int:
    """Change ``v`` until ``phi_dot(t, q, v) = 0``; ``work.rates`` are then those of the state."""
    t, q, v, a, lam = state.clock[0], state.q, state.v, state.a, state.lam
    status = evaluate_rates(kernels, work, t, q, v, a, lam)
    return status if status != OK else continue_velocity(kernels, work, factors, state)


@separate(types.int64(WORK, FACTORS, STATE))
def correct_accelerations(work: RunWorkspace, factors: Factors, state: State) -> int:
    """``[M, -G^T; H, 0] [da; dlam] = -[r; phi_ddot]`` with what is in ``work``.

    The factors are those of ``[M, -G^T; H, eps]``: the first solution leaves ``H da`` wrong by
    ``eps dlam``, and a second one with just that on the right makes up for it.
    """
    a, lam, n_q, n = state.a, state.lam, len(state.a), len(work.x)
    for i in range(n):
        work.rhs[i] = -work.residual[i]
    for row in work.rows:
        work.rhs[row] = -work.rates[n + row]
    for again in range(2):
        solve(factors, work.rhs, work.x)
        for i in range(n_q):
            a[i] += work.x[i]
        for i in range(n - n_q):
            lam[i] += work.x[n_q + i]
        if again == 1 or n == n_q:
            break
        for i in range(n_q):
            work.rhs[i] = 0.0
        for i in range(n - n_q):
            work.rhs[n_q + i] = work.eps[i] * work.x[n_q + i]
    return OK if max(largest(a), largest(lam)) <= 1e300 else NOT_FINITE


@separate(types.int64(*_ARGUMENTS))
def settle_accelerations(
    kernels: Kernels, work: RunWorkspace, factors: Factors, state: State
) -> int:
    """Do so from residual and rates in ``work`` that belong to the state, whose ``lam`` is zero."""
    t, q, v, a, lam = state.clock[0], state.q, state.v, state.a, state.lam
    n, status, force = len(work.x), OK, largest(work.residual)
    before = np.inf
    reads, error = work.passes[0] > 1, 0.0
    for _ in range(work.passes[1]):
        if status == OK:
            status = correct_accelerations(work, factors, state)
        if status == OK:
            status = evaluate_residual(kernels, work, t, q, v, a, lam)
        if status == OK:
            status = evaluate_rates(kernels, work, t, q, v, a, lam)
        if status != OK:
            return status
        curvature = largest_constraint(work, work.rates, n) / (ROUND_OFF * (1.0 + largest(a)))
        # Zero forces leave zero over zero: nothing was wrong then.
        left = largest_force(work) if reads else largest(work.residual)
        error = max(curvature, left / (FORCE_ERROR * force + 1e-300))
        if error <= 1.0 or not error < (1.0 if reads else 0.5) * before:
            break
        before = error
    return NOT_CONVERGED if reads and error > SETTLED else OK


@separate(types.int64(*_ARGUMENTS))
def continue_accelerations(
    kernels: Kernels, work: RunWorkspace, factors: Factors, state: State
) -> int:
    """Accelerations and multipliers: ``M a - f - G^T lam = 0`` and ``phi_ddot(t, q, v, a) = 0``.

    The multipliers start from zero: with redundant constraints their undetermined part stays zero
    instead of collecting round-off from step to step. ``work.rates`` belong to the state before;
    they and ``work.residual`` do so after. Forces that depend on reactions are those of the pass
    before: with friction the passes converge, unless it is so large that it jams.
    """
    for i in range(len(state.lam)):
        state.lam[i] = 0.0
    t, q, v, a, lam = state.clock[0], state.q, state.v, state.a, state.lam
    status = evaluate_residual(kernels, work, t, q, v, a, lam)
    return status if status != OK else settle_accelerations(kernels, work, factors, state)


@separate(types.int64(*_ARGUMENTS))
def solve_accelerations(
    kernels: Kernels, work: RunWorkspace, factors: Factors, state: State
) -> int:
    """Do the same at a state that nothing has been evaluated at."""
    t, q, v, a, lam = state.clock[0], state.q, state.v, state.a, state.lam
    status = evaluate_rates(kernels, work, t, q, v, a, lam)
    return status if status != OK else continue_accelerations(kernels, work, factors, state)


@separate(types.int64(*_ARGUMENTS))
def find_accelerations(kernels: Kernels, work: RunWorkspace, factors: Factors, state: State) -> int:
    """Accelerations and multipliers of a stage, of which the next position is all that remains."""
    if work.passes[0] > 1:
        return solve_accelerations(kernels, work, factors, state)
    t, q, v, a, lam = state.clock[0], state.q, state.v, state.a, state.lam
    for i in range(len(lam)):
        lam[i] = 0.0
    status = evaluate_residual(kernels, work, t, q, v, a, lam)
    if status == OK:
        status = evaluate_rates(kernels, work, t, q, v, a, lam)
    return status if status != OK else correct_accelerations(work, factors, state)


@separate(types.int64(*_ARGUMENTS))
def project_step_end(kernels: Kernels, work: RunWorkspace, factors: Factors, state: State) -> int:
    """Find accelerations at the end of a step that is on the constraints already; else `STRAY`.

    That can be expected where the matrix is constant, and with it the derivatives of constraints:
    one evaluation tells, and serves the accelerations. The factors belong to some earlier position.
    """
    if factors.held[0] != SAME or work.passes[0] > 1:
        return STRAY
    t, q, v, a, lam = state.clock[0], state.q, state.v, state.a, state.lam
    for i in range(len(lam)):
        lam[i] = 0.0
    status = evaluate_residual(kernels, work, t, q, v, a, lam)
    if status == OK:
        status = evaluate_rates(kernels, work, t, q, v, a, lam)
    if status != OK:
        return status
    if not (
        largest_constraint(work, work.residual, 0) <= ROUND_OFF * (1.0 + largest(q))
        and largest_constraint(work, work.rates, 0) <= ROUND_OFF * (1.0 + largest(v))
    ):
        return STRAY
    status = factorise_mass(kernels, work, factors, state, t)
    return status if status != OK else settle_accelerations(kernels, work, factors, state)


@separate(types.int64(*_ARGUMENTS, REAL_ARRAY, types.float64))
def follow_reactions(
    kernels: Kernels,
    work: RunWorkspace,
    factors: Factors,
    state: State,
    a_step: FloatArray,
    weight: float,
) -> int:
    """Correct ``v`` by ``weight (a - a_step)`` where forces depend on reactions.

    The reactions of an index-3 step are wrong by a part of order ``h``. Projections make up for it
    in ``v``, but not for friction, which is not along them: it is taken from the consistent ones.
    """
    for i in range(len(state.v)):
        state.v[i] += weight * (state.a[i] - a_step[i])
    status = project_velocity(kernels, work, factors, state)
    return status if status != OK else continue_accelerations(kernels, work, factors, state)
