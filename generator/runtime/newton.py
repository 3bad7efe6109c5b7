"""Newton iteration of an implicit step: unknowns are the accelerations and the multipliers."""

from numba import types

from mbdgen.runtime.abi import KERNELS, Kernels
from mbdgen.runtime.compiled import internal
from mbdgen.runtime.data import FloatArray
from mbdgen.runtime.equations import (
    evaluate_residual,
    factorise_at,
    largest,
    largest_constraint,
    named_status,
)
from mbdgen.runtime.linear import FACTORS, Factors, solve
from mbdgen.runtime.work import (
    NEWTON,
    NOT_CONVERGED,
    NOT_FINITE,
    OK,
    REAL_ARRAY,
    REPIVOT_TANGENT,
    SINGULAR_TANGENT,
    STATE,
    WORK,
    State,
    Work,
)

ULPS = 2e-14
KEEP_LIMIT = 100
"""[M] From so many unknowns on, a factorisation costs more than four iterations without one."""
RATE = 0.2
"""Factors are kept while every increment is at most this part of the one before."""
_NUMBER = types.float64


@internal(
    types.int64(
        *(KERNELS, WORK, FACTORS, STATE, REAL_ARRAY, REAL_ARRAY),
        *(_NUMBER, _NUMBER, _NUMBER, _NUMBER),
        types.int64,
    )
)
def solve_step(
    kernels: Kernels,
    work: Work,
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
    """Find ``a, lam`` with ``r(t, q_known + c_q a, v_known + c_v a, a, lam) = 0``, ``phi = 0``.

    One iteration is ``[M + c_v C + c_q (K + W), -G^T; H, eps] [da; dlam] = -[r; phi / c_q]``: the
    constraints divided by ``c_q`` (of order ``h^2``) keep the condition of the matrix independent
    of the step size. It has converged when the increment of ``q`` is below the tolerance (relative
    to ``1 + max |q|``) and ``phi`` is below a tenth of it, or at round-off if that is larger.

    Large systems keep the factors of the first iteration as long as increments shrink fast.
    """
    q, v, a, lam = state.q, state.v, state.a, state.lam
    n_q, n = len(q), len(work.x)
    increment = 1e300
    fresh = True
    for _ in range(limit + 1):
        for i in range(n_q):
            q[i] = q_known[i] + c_q * a[i]
            v[i] = v_known[i] + c_v * a[i]
        status = evaluate_residual(kernels, work, t, q, v, a, lam)
        if status != OK:
            return status
        violation = largest_constraint(work, work.residual, 0)
        scale = 1.0 + largest(q)
        # Forces too: once they have spoilt q, every equation looks guilty.
        if not largest(work.residual) <= 1e300:
            return NOT_FINITE
        if increment <= tolerance * scale and violation <= max(0.1 * tolerance, ULPS * scale):
            return OK
        if fresh:
            status = factorise_at(kernels, work, factors, t, q, v, a, lam, c_q, c_v, 1.0)
            if status != OK:
                return named_status(status, REPIVOT_TANGENT, SINGULAR_TANGENT)
        for i in range(n):
            work.rhs[i] = -work.residual[i]
        for row in work.rows:
            work.rhs[row] /= c_q
        solve(factors, work.rhs, work.x)
        work.counters[NEWTON] += 1
        before = increment
        increment = 0.0
        for i in range(n_q):
            a[i] += work.x[i]
            increment = max(increment, c_q * abs(work.x[i]))
        for i in range(n - n_q):
            lam[i] += work.x[n_q + i]
        fresh = n < KEEP_LIMIT or not (before == 1e300 or increment <= RATE * before)
    return NOT_CONVERGED
