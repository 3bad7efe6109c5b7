"""Projections onto the constraints (compiled) with the factors of ``[M, -G^T; H, eps]``.

Each solves ``[M, -G^T; H, eps] [d; mu] = [0; -violation]``: the correction ``d`` has least norm in
the mass metric. The violation is evaluated anew in every iteration, therefore neither ``eps`` nor
factors from a neighbouring position cause an error.
"""

import numpy as np

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
from mbdgen.subset import types

PASSES = 6
SETTLED = 1e4
"""Errors, in units of `FORCE_ERROR`, above which reaction-dependent forces have not converged."""
ROUND_OFF = 1e-13
TOLERATED = 1e-10
"""Tolerance of position constraints at which stagnating corrections may end."""
FORCE_ERROR = 1e-12
"""Largest residual of the dynamics rows relative to the forces and old inertia terms."""

STRAY = -1
"""Status of `project_step_end`: nothing was done, projections are required."""

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
    """Largest residual of the dynamics rows: stages need not satisfy the constraints."""
    for i in range(len(work.rhs)):
        work.rhs[i] = work.residual[i]
    for row in work.rows:
        work.rhs[row] = 0.0
    return largest(work.rhs)


@separate(types.int64(*_ARGUMENTS))
def project_position(kernels: Kernels, work: RunWorkspace, factors: Factors, state: State) -> int:
    """Project ``q`` onto ``phi(t, q) = 0``."""
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
    """Correct ``v`` once along the reaction directions at the position of ``factors``.

    With the factors of the beginning of a step the velocity correction acts along ``G_n``, while
    the reactions that enforce ``phi(q+) = 0`` act along ``G_{n+1}``: the impulses at both ends are
    then determined by the constraints, as in RATTLE. The work of the reactions in the trapezoidal
    rule, ``h^3/6 lam' phi''(v, v)`` per step, cancels: the oscillating energy error of order
    ``h^2`` vanishes, a dissipation of order ``h^3`` remains (measured in docs/decisions). Close to
    a singular position the two directions are unrelated: the correction is undone unless it halves
    the violation. ``work.rates`` belong to the state before and after.
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
    """Project ``v``: ``phi_dot = 0``; ``work.rates`` belong to the state before and after."""
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
    """Project ``v`` onto ``phi_dot(t, q, v) = 0``; ``work.rates`` are then those of the state."""
    t, q, v, a, lam = state.clock[0], state.q, state.v, state.a, state.lam
    status = evaluate_rates(kernels, work, t, q, v, a, lam)
    return status if status != OK else continue_velocity(kernels, work, factors, state)


@separate(types.int64(WORK, FACTORS, STATE))
def correct_accelerations(work: RunWorkspace, factors: Factors, state: State) -> int:
    """``[M, -G^T; H, 0] [da; dlam] = -[r; phi_ddot]`` with the values in ``work``.

    The factors are those of ``[M, -G^T; H, eps]``: the first solution has the error ``eps dlam`` in
    ``H da``, removed by a second one with that right-hand side.
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
    """The same from residual and rates in ``work`` at the state, whose ``lam`` is zero."""
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
        # Zero forces give zero over zero: there is no error then.
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
    """Solve for ``a, lam``: ``M a - f - G^T lam = 0`` and ``phi_ddot(t, q, v, a) = 0``.

    The multipliers start from zero: with redundant constraints their undetermined part stays zero
    instead of accumulating round-off. ``work.rates`` belong to the state before; they and
    ``work.residual`` do so after. Forces that depend on reactions are evaluated with those of the
    previous iteration (fixed-point iteration): it converges with friction unless the friction is
    large enough for jamming.
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
    """The same at a state where nothing has been evaluated."""
    t, q, v, a, lam = state.clock[0], state.q, state.v, state.a, state.lam
    status = evaluate_rates(kernels, work, t, q, v, a, lam)
    return status if status != OK else continue_accelerations(kernels, work, factors, state)


@separate(types.int64(*_ARGUMENTS))
def find_accelerations(kernels: Kernels, work: RunWorkspace, factors: Factors, state: State) -> int:
    """Accelerations and multipliers of a stage, of which only the next position is used."""
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
    """Solve for accelerations at a step end that satisfies the constraints already; else `STRAY`.

    That is expected if the matrix, and with it the constraint Jacobian, is constant: one evaluation
    checks it, and is used for the accelerations. The factors belong to some earlier position.
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

    The reactions of an index-3 step have an error of order ``h``. Projections correct it in ``v``,
    but not the friction, which acts in other directions: it is computed from the consistent ones.
    """
    for i in range(len(state.v)):
        state.v[i] += weight * (state.a[i] - a_step[i])
    status = project_velocity(kernels, work, factors, state)
    return status if status != OK else continue_accelerations(kernels, work, factors, state)
