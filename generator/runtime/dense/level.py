"""Formulations that impose a combination of constraint levels at every evaluation.

``M a = f + G^T lam``,  ``w_2 phi_ddot + w_1 phi_dot + w_0 phi + d lam = 0``

or ``d lam_dot`` instead of ``d lam`` where a formulation integrates its multipliers. Weights
``(w_0, w_1, w_2)`` and compliance ``d`` are the first of ``dense.numbers``: (1, 0, 0) is index 3,
(0, 1, 0) index 2, (0, 0, 1) index 1, others stabilise. What solves the linear equations is the
formulation's ``eliminate``.

`level_solve` is long because its signature is; one iteration is one paragraph of it.
"""

from typing import Any

from numba import types

from mbdgen.runtime.abi import KERNELS, Kernels
from mbdgen.runtime.compiled import internal, separate
from mbdgen.runtime.data import FloatArray
from mbdgen.runtime.dense.parts import slopes, solves
from mbdgen.runtime.dense.room import (
    COMPLIANCE,
    DENSE,
    OF_PHI,
    OF_PHI_DDOT,
    OF_PHI_DOT,
    Dense,
)
from mbdgen.runtime.dense.saddle import fill_matrix
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

EXACT = 1e-4
"""Part of the tolerance that iterations go on to: the Jacobian lacks terms of higher order."""
ULPS = 4e-15


@internal
def imposed(work: Work, w: FloatArray, row: int) -> float:
    """Return the imposed combination of one constraint row; ``w`` as ``dense.numbers``."""
    total = w[OF_PHI] * work.residual[row] + w[OF_PHI_DOT] * work.rates[row]
    return total + w[OF_PHI_DDOT] * work.rates[len(work.x) + row]


@separate(types.int64(KERNELS, WORK, STATE, DENSE))
def set_up_accelerations(kernels: Kernels, work: Work, state: State, dense: Dense) -> int:
    """Fill ``K x = rhs`` for ``x = (a, lam)`` at ``q`` and ``v`` of the state; they become zero."""
    t, q, v, a, lam = state.clock[0], state.q, state.v, state.a, state.lam
    n_q, n_lam = len(q), len(lam)
    for i in range(n_q):
        a[i] = 0.0
    for k in range(n_lam):
        lam[k] = 0.0
    status = evaluate_residual(kernels, work, t, q, v, a, lam)
    if status == OK:
        status = evaluate_rates(kernels, work, t, q, v, a, lam)
    if status == OK:
        status = fill_matrix(kernels, work, state, dense, 0.0, 0.0)
    if status != OK:
        return status
    weight = dense.numbers[OF_PHI_DDOT]
    for i in range(n_q + n_lam):
        dense.rhs[i] = -work.residual[i]
    for row in work.rows:
        dense.rhs[row] = -imposed(work, dense.numbers, row) / weight
    for k in range(n_lam):
        dense.K[n_q + k, n_q + k] = dense.numbers[COMPLIANCE] / weight
    return OK


@internal
def take_solution(state: State, dense: Dense) -> int:
    """``(a, lam) <- x``."""
    n_q = len(state.q)
    for i in range(n_q):
        state.a[i] = dense.x[i]
    for k in range(len(state.lam)):
        state.lam[k] = dense.x[n_q + k]
    return OK if max(largest(state.a), largest(state.lam)) <= 1e300 else NOT_FINITE


@internal
def take_positions(state: State, dense: Dense, y: FloatArray) -> None:
    """``(q, v, z) <- y``."""
    n_q = len(state.q)
    for i in range(n_q):
        state.q[i], state.v[i] = y[i], y[n_q + i]
    for i in range(len(dense.z)):
        dense.z[i] = y[2 * n_q + i]


@slopes
def level_slope(
    eliminate: Any,
    complete: Any,
    kernels: Kernels,
    work: Work,
    state: State,
    dense: Dense,
    t: float,
    y: FloatArray,
    y_dot: FloatArray,
) -> int:
    """``y_dot = (v, a)``; see `mbdgen.runtime.dense.parts`."""
    n_q = len(state.q)
    state.clock[0] = t
    take_positions(state, dense, y)
    status = complete(kernels, work, state, dense)
    if status == OK:
        status = set_up_accelerations(kernels, work, state, dense)
    if status == OK:
        status = eliminate(work, dense)
    if status == OK:
        status = take_solution(state, dense)
    for i in range(n_q):
        y_dot[i], y_dot[n_q + i] = state.v[i], state.a[i]
    return status


@internal
def _compliance(dense: Dense, c_v: float) -> float:
    """Of ``lam``; with ``lam = z + c_v lam_dot``, of its distance from ``z``."""
    of_rate = len(dense.z) > 0
    return dense.numbers[COMPLIANCE] / c_v if of_rate else dense.numbers[COMPLIANCE]


@internal
def _take_multipliers(state: State, dense: Dense, c_v: float) -> None:
    """``z <- lam`` at the end of a relation in which multipliers are integrated."""
    for k in range(len(dense.z)):
        dense.z_dot[k] = (state.lam[k] - dense.z[k]) / c_v
        dense.z[k] = state.lam[k]


@solves
def level_solve(
    eliminate: Any,
    complete: Any,
    kernels: Kernels,
    work: Work,
    state: State,
    dense: Dense,
    q_known: FloatArray,
    v_known: FloatArray,
    t: float,
    c_q: float,
    c_v: float,
    tolerance: float,
    limit: int,
) -> int:
    """Newton's method on the imposed equations; see `mbdgen.runtime.dense.parts`.

    One iteration is ``[M + c_v C + c_q (K + W), -G^T; H, d/s] [da; dlam] = -[r; c/s]`` with
    ``s = w_2 + c_v w_1 + c_q w_0``: what ``H`` itself changes with ``q`` is left out in the rows of
    velocity and acceleration, which costs iterations, not accuracy.
    """
    q, v, a, lam = state.q, state.v, state.a, state.lam
    n_q, n_lam, w = len(q), len(lam), dense.numbers
    weight = w[OF_PHI_DDOT] + c_v * w[OF_PHI_DOT] + c_q * w[OF_PHI]
    compliance, integrated = _compliance(dense, c_v) / weight, len(dense.z) > 0
    state.clock[0] = t
    before = 1e300
    for _ in range(limit):
        for i in range(n_q):
            q[i] = q_known[i] + c_q * a[i]
            v[i] = v_known[i] + c_v * a[i]
        status = evaluate_residual(kernels, work, t, q, v, a, lam)
        if status == OK:
            status = evaluate_rates(kernels, work, t, q, v, a, lam)
        if status == OK:
            status = fill_matrix(kernels, work, state, dense, c_q, c_v)
        if status != OK:
            return status
        for i in range(n_q + n_lam):
            dense.rhs[i] = -work.residual[i]
        for row in work.rows:
            dense.rhs[row] = -imposed(work, w, row) / weight
        for k in range(n_lam):
            dense.K[n_q + k, n_q + k] = compliance
            dense.rhs[n_q + k] -= compliance * (lam[k] - (dense.z[k] if integrated else 0.0))
        if not largest(dense.rhs) <= 1e300:
            return NOT_FINITE
        status = eliminate(work, dense)
        if status != OK:
            return status
        work.counters[NEWTON] += 1
        size = 0.0
        for i in range(n_q):
            a[i] += dense.x[i]
            size = max(size, c_q * abs(dense.x[i]))
        for k in range(n_lam):
            lam[k] += dense.x[n_q + k]
        scale = 1.0 + largest(q)
        stalled = size <= tolerance * scale and size > 0.5 * before
        if size <= max(EXACT * tolerance, ULPS) * scale or stalled:
            for i in range(n_q):
                q[i] = q_known[i] + c_q * a[i]
                v[i] = v_known[i] + c_v * a[i]
            _take_multipliers(state, dense, c_v)
            return OK
        before = size
    return NOT_CONVERGED
