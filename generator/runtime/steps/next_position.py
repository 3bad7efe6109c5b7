"""Central differences with position constraints satisfied at the next position (as in SHAKE).

``M a = f + G^T lam``,  ``phi(t + h, q + h v + h^2/2 (a + (alpha - 1) (a - a-))) = 0``,
``v = v- + h ((1 - beta) a- + beta a)``

or the same with differences of positions in place of ``v-`` and ``a-``: the classical form. The
next position satisfies the constraints, so there is no drift. Velocities and accelerations satisfy
theirs with the order of the method only.
"""

from mbdgen.runtime.program.compiled_functions import internal, separate
from mbdgen.runtime.program.kernel_abi import KERNELS, Kernels
from mbdgen.runtime.solvers.dense_workspace import DENSE, DenseWorkspace
from mbdgen.runtime.solvers.newton_convergence import FIRST, GO_ON, verdict
from mbdgen.runtime.solvers.saddle_point import eliminate_by_lu, fill_matrix
from mbdgen.runtime.solvers.scheme_functions import SchemeFunctions, general_step
from mbdgen.runtime.steps.multistep_history import same_step
from mbdgen.runtime.system.kernel_calls import (
    add_change,
    evaluate_rates,
    evaluate_residual,
    largest,
)
from mbdgen.runtime.system.run_workspace import (
    NOT_CONVERGED,
    NOT_FINITE,
    OK,
    STATE,
    WORK,
    RunWorkspace,
    State,
)
from mbdgen.runtime.system.system_data import FloatArray
from mbdgen.subset import types

_NUMBER = types.float64


@internal
def _constraints_at(
    kernels: Kernels,
    work: RunWorkspace,
    state: State,
    dense: DenseWorkspace,
    t: float,
    q: FloatArray,
    c_q: float,
) -> int:
    """Write the constraint rows to ``rhs`` and a spare matrix: ``-phi / c_q`` and ``H``."""
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
    kernels: Kernels,
    work: RunWorkspace,
    state: State,
    dense: DenseWorkspace,
    h: float,
    c_q: float,
    c_v: float,
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
    return status if status != OK or largest(dense.rhs) <= FIRST else NOT_FINITE


@separate(
    types.int64(KERNELS, WORK, STATE, DENSE, *(_NUMBER,) * 4, types.int64),
)
def close_next(
    kernels: Kernels,
    work: RunWorkspace,
    state: State,
    dense: DenseWorkspace,
    h: float,
    c_q: float,
    c_v: float,
    tolerance: float,
    limit: int,
) -> int:
    """Solve for ``a, lam`` at ``q``, ``v = line[5] + c_v a``: ``phi(line[4] + c_q a) = 0``."""
    q, v, a, lam = state.q, state.v, state.a, state.lam
    base, v_known, next_q = dense.line[4], dense.line[5], dense.line[2]
    before = FIRST
    for _ in range(limit):
        for i in range(len(q)):
            v[i] = v_known[i] + c_v * a[i]
            next_q[i] = base[i] + c_q * a[i]
        status = _set_up(kernels, work, state, dense, h, c_q, c_v)
        if status == OK:
            status = eliminate_by_lu(work, dense)
        if status != OK:
            return status
        size = c_q * add_change(a, lam, dense.x)
        status = verdict(work.counters, q, size, before, tolerance)
        if status == OK:
            for i in range(len(q)):
                v[i] = v_known[i] + c_v * a[i]
        if status != GO_ON:
            return status
        before = size
    return NOT_CONVERGED


@separate(types.int64(KERNELS, WORK, STATE, DENSE, _NUMBER, _NUMBER, types.int64))
def begin_anew(
    kernels: Kernels,
    work: RunWorkspace,
    state: State,
    dense: DenseWorkspace,
    h: float,
    tolerance: float,
    limit: int,
) -> int:
    """Project ``v``, and solve for accelerations that satisfy the constraints after ``h``."""
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
        dense.line[4, i] = state.q[i] + h * state.v[i]
        dense.line[5, i] = state.v[i]
    return close_next(kernels, work, state, dense, h, 0.5 * h * h, 0.0, tolerance, limit)


@internal
def _weighted(
    state: State, dense: DenseWorkspace, h: float, alpha: float, beta: float
) -> tuple[float, float]:
    """Advance; compute the known part of the next position but one; return ``c_q, c_v``."""
    jump, base, v_known, half = dense.line[6], dense.line[4], dense.line[5], 0.5 * h * h
    for i in range(len(state.q)):
        state.q[i] += h * state.v[i] + half * (state.a[i] + (alpha - 1.0) * jump[i])
        v_known[i] = state.v[i] + h * (1.0 - beta) * state.a[i]
        base[i] = state.q[i] + h * v_known[i] - half * (alpha - 1.0) * state.a[i]
        jump[i] = -state.a[i]
    return half * (alpha + 2.0 * beta), beta * h


@internal
def _classical(state: State, dense: DenseWorkspace, h: float) -> tuple[float, float]:
    """The same for ``a = (q+ - 2 q + q-) / h^2``, ``v = (q+ - q-) / 2 h``."""
    following, base, v_known = dense.line[6], dense.line[4], dense.line[5]
    for i in range(len(state.q)):
        v_known[i] = (following[i] - state.q[i]) / h
        base[i] = 2.0 * following[i] - state.q[i]
        state.q[i] = following[i]
    return h * h, 0.5 * h


@general_step
def step(
    kernels: Kernels,
    work: RunWorkspace,
    state: State,
    h: float,
    options: FloatArray,
    parts: SchemeFunctions,
    dense: DenseWorkspace,
) -> int:
    """Advance by one step.

    Row 0 has the change of ``a`` over the last step, in the classical form the position after the
    state; ``dense.times[0]`` is the size of that step. Accelerations satisfy the constraints for
    one step size only: after a change of the step size the method restarts.
    """
    alpha, beta, tolerance, limit = options[0], options[1], options[2], int(options[3])
    classical, n_q, kept = options[4] > 0.5, len(state.q), dense.line[6]
    if same_step(dense.times[0], h):
        for i in range(n_q):
            kept[i] = dense.rows[0, i]
    else:
        status = begin_anew(kernels, work, state, dense, h, tolerance, limit)
        if status != OK:
            return status
        for i in range(n_q):
            ahead = state.q[i] + h * state.v[i] + 0.5 * h * h * state.a[i]
            kept[i] = ahead if classical else 0.0
    if classical:
        c_q, c_v = _classical(state, dense, h)
    else:
        c_q, c_v = _weighted(state, dense, h, alpha, beta)
    state.clock[0] += h
    status = close_next(kernels, work, state, dense, h, c_q, c_v, tolerance, limit)
    if status != OK:
        return status
    for i in range(n_q):
        ahead = dense.line[4, i] + c_q * state.a[i]
        dense.rows[0, i] = ahead if classical else kept[i] + state.a[i]
    dense.times[0] = h
    return OK
