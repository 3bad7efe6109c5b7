"""Central differences that close the constraints at the next position by the accelerations of now.

``M a = f + G^T lam``,  ``phi(t + h, q + h v + h^2/2 (a + (alpha - 1) (a - a-))) = 0``,
``v = v- + h ((1 - beta) a- + beta a)``

The position that these accelerations lead to is on the constraints, so there is no drift.
Velocities and accelerations fulfil theirs with the order of the method only.
"""

from numba import types

from mbdgen.runtime.abi import KERNELS, Kernels
from mbdgen.runtime.compiled import internal, separate
from mbdgen.runtime.data import FloatArray
from mbdgen.runtime.dense.level import EXACT, ULPS
from mbdgen.runtime.dense.parts import Parts, general_step
from mbdgen.runtime.dense.room import DENSE, Dense
from mbdgen.runtime.dense.saddle import eliminate_by_lu, fill_matrix
from mbdgen.runtime.equations import evaluate_rates, evaluate_residual, largest
from mbdgen.runtime.work import (
    NEWTON,
    NOT_CONVERGED,
    NOT_FINITE,
    OK,
    STATE,
    WORK,
    State,
    Work,
)

SAME = 1e-9
"""Relative difference of steps, by rounding of their ends, that are the same."""

_NUMBER = types.float64


@internal
def _constraints_at(
    kernels: Kernels, work: Work, state: State, dense: Dense, t: float, q: FloatArray, c_q: float
) -> int:
    """Rows of the constraints in ``rhs`` and in a spare matrix: ``-phi / c_q`` and ``H``."""
    now, n_q = state.clock[0], len(state.q)
    other = dense.line[3]
    for i in range(n_q):
        other[i], state.q[i] = state.q[i], q[i]
    state.clock[0] = t
    status = evaluate_residual(kernels, work, t, state.q, state.v, state.a, state.lam)
    if status == OK:
        status = fill_matrix(kernels, work, state, dense, 0.0, 0.0)
    for row in work.rows:
        dense.rhs[row] = -work.residual[row] / c_q
        for j in range(n_q):
            dense.spare[1, row, j] = dense.K[row, j]
    for i in range(n_q):
        state.q[i] = other[i]
    state.clock[0] = now
    return status


@internal
def _set_up(
    kernels: Kernels, work: Work, state: State, dense: Dense, h: float, c_q: float, c_v: float
) -> int:
    """``[M + c_v C, -G^T; H+, 0] [da; dlam] = -[r; phi+ / c_q]``; ``+`` is the next position."""
    n_q, next_q = len(state.q), dense.line[2]
    status = _constraints_at(kernels, work, state, dense, state.clock[0] + h, next_q, c_q)
    if status == OK:
        t, lam = state.clock[0], state.lam
        status = evaluate_residual(kernels, work, t, state.q, state.v, state.a, lam)
    if status == OK:
        status = fill_matrix(kernels, work, state, dense, 0.0, c_v)
    for i in range(len(dense.rhs)):
        dense.line[3, i] = -work.residual[i]
    for row in work.rows:
        dense.line[3, row] = dense.rhs[row]
        for j in range(len(dense.rhs)):
            dense.K[row, j] = dense.spare[1, row, j] if j < n_q else 0.0
    for i in range(len(dense.rhs)):
        dense.rhs[i] = dense.line[3, i]
    return status


@separate(
    types.int64(KERNELS, WORK, STATE, DENSE, *(_NUMBER,) * 4, types.int64),
)
def close_next(
    kernels: Kernels,
    work: Work,
    state: State,
    dense: Dense,
    h: float,
    c_q: float,
    c_v: float,
    tolerance: float,
    limit: int,
) -> int:
    """Find ``a, lam`` at ``q``, ``v = line[5] + c_v a``, such that ``line[4] + c_q a`` closes."""
    n_q, n_lam = len(state.q), len(state.lam)
    base, v_known, next_q = dense.line[4], dense.line[5], dense.line[2]
    before = 1e300
    for _ in range(limit):
        for i in range(n_q):
            state.v[i] = v_known[i] + c_v * state.a[i]
            next_q[i] = base[i] + c_q * state.a[i]
        status = _set_up(kernels, work, state, dense, h, c_q, c_v)
        if status == OK and not largest(dense.rhs) <= 1e300:
            status = NOT_FINITE
        if status == OK:
            status = eliminate_by_lu(work, dense)
        if status != OK:
            return status
        work.counters[NEWTON] += 1
        size = 0.0
        for i in range(n_q):
            state.a[i] += dense.x[i]
            size = max(size, c_q * abs(dense.x[i]))
        for k in range(n_lam):
            state.lam[k] += dense.x[n_q + k]
        scale = 1.0 + largest(state.q)
        if size <= max(EXACT * tolerance, ULPS) * scale or (
            size <= tolerance * scale and size > 0.5 * before
        ):
            for i in range(n_q):
                state.v[i] = v_known[i] + c_v * state.a[i]
            return OK
        before = size
    return NOT_CONVERGED


@separate(types.int64(KERNELS, WORK, STATE, DENSE, _NUMBER, _NUMBER, types.int64))
def begin_anew(
    kernels: Kernels,
    work: Work,
    state: State,
    dense: Dense,
    h: float,
    tolerance: float,
    limit: int,
) -> int:
    """Bring ``v`` onto the constraints, and find accelerations that close after a step ``h``."""
    n_q, t = len(state.q), state.clock[0]
    status = evaluate_rates(kernels, work, t, state.q, state.v, state.a, state.lam)
    if status == OK:
        status = fill_matrix(kernels, work, state, dense, 0.0, 0.0)
    for i in range(len(dense.rhs)):
        dense.rhs[i] = 0.0
    for row in work.rows:
        dense.rhs[row] = -work.rates[row]
    if status == OK:
        status = eliminate_by_lu(work, dense)
    if status != OK:
        return status
    for i in range(n_q):
        state.v[i] += dense.x[i]
        dense.rows[0, i] = 0.0
        dense.line[4, i] = state.q[i] + h * state.v[i]
        dense.line[5, i] = state.v[i]
    return close_next(kernels, work, state, dense, h, 0.5 * h * h, 0.0, tolerance, limit)


@general_step
def step(
    kernels: Kernels,
    work: Work,
    state: State,
    h: float,
    options: FloatArray,
    parts: Parts,
    dense: Dense,
) -> int:
    """Advance by one step.

    Row 0 has the change of ``a`` over the last step; ``dense.times[0]`` is that step's length.
    Accelerations close one length of step only: with another the motion begins anew.
    """
    alpha, beta, tolerance, limit = options[0], options[1], options[2], int(options[3])
    n_q, half = len(state.q), 0.5 * h * h
    jump, base, v_known = dense.rows[0], dense.line[4], dense.line[5]
    if not abs(dense.times[0] - h) <= SAME * h:
        status = begin_anew(kernels, work, state, dense, h, tolerance, limit)
        if status != OK:
            return status
    for i in range(n_q):
        state.q[i] += h * state.v[i] + half * (state.a[i] + (alpha - 1.0) * jump[i])
        v_known[i] = state.v[i] + h * (1.0 - beta) * state.a[i]
        base[i] = state.q[i] + h * v_known[i] - half * (alpha - 1.0) * state.a[i]
        jump[i] = -state.a[i]
    state.clock[0] += h
    c_q = half * (alpha + 2.0 * beta)
    status = close_next(kernels, work, state, dense, h, c_q, beta * h, tolerance, limit)
    for i in range(n_q):
        jump[i] += state.a[i]
    dense.times[0] = h
    return status
