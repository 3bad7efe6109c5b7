"""Newton iteration of an implicit step: unknowns are accelerations and Lagrange multipliers.

`solve_step` is one long function because it is the hottest one without fused kernels: passing the
tables to parts of it would cost more than the parts themselves.
"""

from mbdgen.runtime.linalg.linear_solver import FACTORS, Factors, solve
from mbdgen.runtime.program.compiled_functions import internal, separate
from mbdgen.runtime.program.kernel_abi import KERNELS, Kernels
from mbdgen.runtime.system.kernel_calls import (
    close_velocities,
    evaluate_residual,
    factorise_at,
    largest,
    largest_constraint,
    named_status,
)
from mbdgen.runtime.system.run_workspace import (
    AGE,
    ENOUGH,
    EXTRA,
    KEPT_WEIGHT,
    LAST,
    NEWTON,
    NOT_CONVERGED,
    NOT_FINITE,
    OK,
    REAL_ARRAY,
    REPIVOT_TANGENT,
    SINGULAR_TANGENT,
    STATE,
    WORK,
    RunWorkspace,
    State,
)
from mbdgen.runtime.system.system_data import FloatArray
from mbdgen.subset import types

ULPS = 2e-14
KEEP_LIMIT = 100
"""[M] From this many unknowns on, a factorisation costs more than four iterations without one."""
RATE = 0.2
"""Factors are kept while the convergence rate (ratio of successive increments) is at most this."""
MARGIN = 1.25
"""Bound of all increments to come, ``rate / (1 - rate)`` of the last one, at the largest rate."""
KEPT_PART = 1e-4
"""Fraction of the tolerance for iterations with kept factors (modified Newton iteration)."""
BOUNCES, BOUNCED = 3, 0.5
"""Damping: from this iteration on an increment larger than this fraction of the previous one is
halved. At a kink, where a contact begins, Newton's method may oscillate for ever. No factors are
kept then, because those of one side do not hold for the other.
"""
SAME_WEIGHT = 0.05
"""Factors for another step size are kept if ``c_q`` differs by at most this fraction."""
_NUMBER = types.float64


@internal
def _keeps(work: RunWorkspace, factors: Factors, c_q: float) -> bool:
    """Whether a step begins with the factors of an earlier one (modified Newton iteration).

    The older they are, the more iterations they need. The matrix is factorised anew as soon as the
    last step cost more iterations than the average of all steps since, including the cost of the
    factorisation.
    """
    memory = work.memory
    if len(work.x) < KEEP_LIMIT or abs(c_q - memory[KEPT_WEIGHT]) > SAME_WEIGHT * c_q:
        return False
    return memory[LAST] * memory[AGE] < factors.limits[2] + memory[EXTRA]


@internal
def _remember(work: RunWorkspace, renewed: bool, count: int, c_q: float) -> None:
    """Update the statistics of `_keeps` after a step with ``count`` iterations."""
    memory = work.memory
    if renewed:
        memory[KEPT_WEIGHT], memory[ENOUGH] = c_q, count
        memory[EXTRA], memory[AGE], memory[LAST] = 0.0, 1.0, 0.0
        return
    memory[LAST] = count - memory[ENOUGH]
    memory[EXTRA] += memory[LAST]
    memory[AGE] += 1.0


@separate(
    types.int64(
        *(KERNELS, WORK, FACTORS, STATE, REAL_ARRAY, REAL_ARRAY),
        *(_NUMBER, _NUMBER, _NUMBER, _NUMBER),
        types.int64,
    )
)
def solve_step(
    kernels: Kernels,
    work: RunWorkspace,
    factors: Factors,
    state: State,
    q_known: FloatArray,
    v_known: FloatArray,
    t: float,
    c_q: float,
    c_v: float,
    tolerance: float,
    limit: int,
) -> int:
    """Solve ``r(t, q_known + c_q a, v_known + c_v a, a, lam) = 0``, ``phi = 0`` for ``a, lam``.

    A Newton step is ``[M + c_v C + c_q (K + W), -G^T; H, eps] [da; dlam] = -[r; phi / c_q]``:
    the constraints divided by ``c_q`` (of order ``h^2``) keep the condition number of the iteration
    matrix independent of the step size. Nonholonomic rows have ``psi / c_v`` there. The iteration
    has converged when the increment of ``q`` is below the tolerance (relative to ``1 + max |q|``)
    and ``phi`` is below a tenth of it, or at round-off if that is larger.

    Large systems keep the factors as long as that pays: see `_keeps`. Convergence is then linear
    at some ``rate``, and the remaining increments must be a small fraction of the tolerance: [M]
    a hundredth still makes an error of ``1e-7`` in the velocities of long chains, because ``c_q``
    is so small. With new factors convergence is quadratic, and the tolerance itself is enough.
    """
    q, v, a, lam = state.q, state.v, state.a, state.lam
    n_q, n = len(q), len(work.x)
    accuracy = max(KEPT_PART * tolerance, min(tolerance, ULPS))
    remaining = increment = 1e300
    fresh = not _keeps(work, factors, c_q)
    renewed = bounced = False
    for count in range(limit + 1):
        for i in range(n_q):
            q[i] = q_known[i] + c_q * a[i]
            v[i] = v_known[i] + c_v * a[i]
        status = evaluate_residual(kernels, work, t, q, v, a, lam)
        if status == OK and len(work.velocity_rows) > 0:
            status = close_velocities(kernels, work, t, q, v, a, lam, c_q / c_v)
        if status != OK:
            return status
        violation = largest_constraint(work, work.residual, 0)
        scale = 1.0 + largest(q)
        # Forces first: once they have spoilt q, every equation is affected.
        if not largest(work.residual) <= 1e300:
            return NOT_FINITE
        if remaining <= accuracy * scale and violation <= max(0.1 * tolerance, ULPS * scale):
            _remember(work, renewed, count, c_q)
            return OK
        if fresh:
            work.memory[KEPT_WEIGHT] = 0.0
            status = factorise_at(kernels, work, factors, t, q, v, a, lam, c_q, c_v, 1.0)
            if status != OK:
                return named_status(status, REPIVOT_TANGENT, SINGULAR_TANGENT)
            renewed = True
        for i in range(n):
            work.rhs[i] = -work.residual[i]
        for row in work.rows:
            work.rhs[row] /= c_q
        solve(factors, work.rhs, work.x)
        work.counters[NEWTON] += 1
        before = increment
        increment = c_q * largest(work.x[:n_q])
        rate = increment / before
        first = before == 1e300
        bounces = fresh and count >= BOUNCES and rate > BOUNCED
        bounced = bounced or bounces
        part = 0.5 if bounces else 1.0
        for i in range(n_q):
            a[i] += part * work.x[i]
        for i in range(n - n_q):
            lam[i] += part * work.x[n_q + i]
        if bounces:
            remaining = increment
        elif fresh:
            remaining = KEPT_PART * increment
        else:
            remaining = increment if first or rate > RATE else MARGIN * rate * increment
        fresh = n < KEEP_LIMIT or bounced or not (first or rate <= RATE)
    work.memory[KEPT_WEIGHT] = 0.0
    return NOT_CONVERGED
