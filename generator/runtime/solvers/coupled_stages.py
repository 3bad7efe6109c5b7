"""Implicit Runge-Kutta methods: all stages are solved as one coupled system.

With the Butcher matrix ``A``, the nodes ``c``, and the stage accelerations ``a_j``

``q_i = q + c_i h v + h^2 sum_j (A^2)_ij a_j``,  ``v_i = v + h sum_j A_ij a_j``

and every stage satisfies the dynamics and the imposed combination ``w_2 phi_ddot + w_1 phi_dot +
w_0 phi + d lam = 0``. Its derivative in ``a_j`` is about ``S_ij H`` with ``S = w_2 + w_1 h A +
w_0 h^2 A^2``; the rows of all stages are multiplied by ``S^-1``, after which they are
``H`` on the diagonal and small elsewhere, whatever is imposed. Nonholonomic rows have their own
``S``.
"""

from typing import NamedTuple

import numpy as np

from mbdgen.runtime.linalg.dense_lu import invert
from mbdgen.runtime.program.compiled_functions import internal, separate
from mbdgen.runtime.program.kernel_abi import KERNELS, Kernels
from mbdgen.runtime.solvers.constraint_combination import evaluate_all, imposed, of_velocities
from mbdgen.runtime.solvers.dense_workspace import COMPLIANCE, DENSE, OF_PHI_DDOT, DenseWorkspace
from mbdgen.runtime.solvers.newton_convergence import FIRST, GO_ON, verdict
from mbdgen.runtime.solvers.saddle_point import fill_weighted, solve_with_eps
from mbdgen.runtime.system.kernel_calls import largest
from mbdgen.runtime.system.run_workspace import (
    FACTORISATIONS,
    NOT_CONVERGED,
    NOT_FINITE,
    OK,
    REAL_ARRAY,
    REAL_TABLE,
    STATE,
    WORK,
    RunWorkspace,
    State,
)
from mbdgen.runtime.system.system_data import FloatArray
from mbdgen.subset import types

_REAL = types.float64


class Stages(NamedTuple):
    """Workspace and coefficients of one step.

    Attributes
    ----------
    q, v : array
        Position and velocity at the beginning of the step.
    x : array, shape (stages, n)
        Accelerations and multipliers of the stages.
    of_v, of_q : array, shape (stages, stages)
        ``h A``, ``h^2 A^2``.
    mixing, of_phi : array, shape (2, stages, stages)
        ``S^-1`` and ``S`` of nonholonomic rows, and of all others.
    matrix, rhs, change : array
        Linear equations of all stages, and their solution.
    """

    q: FloatArray
    v: FloatArray
    x: FloatArray
    of_v: FloatArray
    of_q: FloatArray
    mixing: FloatArray
    of_phi: FloatArray
    matrix: FloatArray
    rhs: FloatArray
    change: FloatArray


STAGES = types.NamedTuple(
    (
        *(REAL_ARRAY,) * 2,
        *(REAL_TABLE,) * 3,
        *(types.float64[:, :, ::1],) * 2,
        REAL_TABLE,
        *(REAL_ARRAY,) * 2,
    ),
    Stages,
)


@internal
def _new_stages(
    work: RunWorkspace, state: State, dense: DenseWorkspace, h: float, A: FloatArray, w: FloatArray
) -> Stages:
    """Allocate the workspace; initial guess: accelerations and multipliers of the beginning."""
    s, n_q, n = A.shape[0], len(state.q), len(dense.x)
    of_v, of_q = np.zeros((s, s)), np.zeros((s, s))
    mixing, of_phi = np.zeros((2, s, s)), np.zeros((2, s, s))
    x = np.zeros((s, n))
    for i in range(s):
        for k in range(n_q):
            x[i, k] = state.a[k]
        for k in range(n_q, n):
            x[i, k] = state.lam[k - n_q]
        for j in range(s):
            of_v[i, j] = h * A[i, j]
            for k in range(s):
                of_q[i, j] += h * h * A[i, k] * A[k, j]
    for row in work.rows:
        kind = int(work.holonomic[row])
        if mixing[kind, 0, 0] == 0.0:
            weight, weight_dot = of_velocities(work, w, row)
            of_phi[kind] = weight_dot * of_v + weight * of_q + w[OF_PHI_DDOT] * np.eye(s)
            invert(of_phi[kind], mixing[kind])
    return Stages(
        state.q.copy(),
        state.v.copy(),
        x,
        of_v,
        of_q,
        mixing,
        of_phi,
        np.zeros((s * n, s * n)),
        np.zeros(s * n),
        np.zeros(s * n),
    )


@internal
def _go_to(stages: Stages, i: int, state: State) -> None:
    """Set the state to that of stage ``i``; its rate of ``q`` at the beginning is ``v``."""
    n_q, s = len(state.q), stages.x.shape[0]
    c = 0.0
    for j in range(s):
        c += stages.of_v[i, j]
    for k in range(n_q):
        q, v = stages.q[k] + c * stages.v[k], stages.v[k]
        for j in range(s):
            q += stages.of_q[i, j] * stages.x[j, k]
            v += stages.of_v[i, j] * stages.x[j, k]
        state.q[k], state.v[k], state.a[k] = q, v, stages.x[i, k]
    for k in range(len(state.lam)):
        state.lam[k] = stages.x[i, n_q + k]


@separate(types.void(WORK, DENSE, STAGES, REAL_ARRAY, types.int64))
def _write_residual(
    work: RunWorkspace, dense: DenseWorkspace, stages: Stages, w: FloatArray, i: int
) -> None:
    """Subtract the residual of stage ``i`` from the right-hand side."""
    s, n = stages.x.shape
    n_q = n - len(work.eps)
    for row in dense.dynamics:
        stages.rhs[i * n + row] = -work.residual[row]
    for row in work.rows:
        left = imposed(work, w, row)
        if row >= n_q:
            left += w[COMPLIANCE] * stages.x[i, row]
        mixing = stages.mixing[int(work.holonomic[row])]
        for k in range(s):
            stages.rhs[k * n + row] -= mixing[k, i] * left


@separate(types.void(WORK, DENSE, STAGES, REAL_ARRAY, types.int64, types.int64))
def _write_block(
    work: RunWorkspace, dense: DenseWorkspace, stages: Stages, w: FloatArray, i: int, j: int
) -> None:
    """Add the derivatives of the equations of stage ``i`` by the unknowns of stage ``j``."""
    s, n = stages.x.shape
    n_q, K, matrix = n - len(work.eps), dense.K, stages.matrix
    for row in dense.dynamics:
        for column in range(n if i == j else n_q):
            matrix[i * n + row, j * n + column] = K[row, column]
    for row in work.rows:
        kind = int(work.holonomic[row])
        mixing, of_phi = stages.mixing[kind], stages.of_phi[kind]
        for k in range(s):
            weight = mixing[k, i] * of_phi[i, j]
            for column in range(n_q):
                matrix[k * n + row, j * n + column] += weight * K[row, column]
            if i == j and row >= n_q:
                matrix[k * n + row, j * n + row] += mixing[k, i] * w[COMPLIANCE]


@separate(types.int64(KERNELS, WORK, STATE, DENSE, STAGES, REAL_ARRAY, _REAL))
def _set_up(
    kernels: Kernels,
    work: RunWorkspace,
    state: State,
    dense: DenseWorkspace,
    stages: Stages,
    w: FloatArray,
    t: float,
) -> int:
    """Evaluate the equations of all stages and their derivatives."""
    s = stages.x.shape[0]
    stages.matrix[:, :] = 0.0
    stages.rhs[:] = 0.0
    for i in range(s):
        _go_to(stages, i, state)
        state.clock[0] = t
        for j in range(s):
            state.clock[0] += stages.of_v[i, j]
        status = evaluate_all(kernels, work, state)
        if status != OK:
            return status
        _write_residual(work, dense, stages, w, i)
        for j in range(s):
            of_a = 1.0 if i == j else 0.0
            status = fill_weighted(
                kernels, work, state, dense, stages.of_q[i, j], stages.of_v[i, j], of_a
            )
            if status != OK:
                return status
            _write_block(work, dense, stages, w, i, j)
    return OK


@internal
def _improve(
    kernels: Kernels,
    work: RunWorkspace,
    state: State,
    dense: DenseWorkspace,
    stages: Stages,
    w: FloatArray,
    t: float,
    h: float,
) -> tuple[int, float]:
    """Make one Newton iteration; see `mbdgen.runtime.solvers.newton_convergence`."""
    (s, n), n_q, x = stages.x.shape, len(state.q), stages.change
    status = _set_up(kernels, work, state, dense, stages, w, t)
    if status == OK and not largest(stages.rhs) <= 1e300:
        status = NOT_FINITE
    if status != OK:
        return status, 0.0
    work.counters[FACTORISATIONS] += 1
    order, room = np.zeros(s * n, np.int64), np.zeros((2, s * n))
    status = solve_with_eps(stages.matrix, work.eps, order, stages.rhs, x, room[0], room[1], n)
    size = 0.0
    for i in range(s):
        for k in range(n):
            stages.x[i, k] += x[i * n + k]
        for k in range(n_q):
            size = max(size, h * h * abs(x[i * n + k]))
    return status, size


@separate(
    types.int64(
        *(KERNELS, WORK, STATE, DENSE, REAL_TABLE, REAL_ARRAY),
        *(_REAL, _REAL, types.int64, REAL_TABLE),
    )
)
def solve_stages(
    kernels: Kernels,
    work: RunWorkspace,
    state: State,
    dense: DenseWorkspace,
    A: FloatArray,
    w: FloatArray,
    h: float,
    tolerance: float,
    limit: int,
    found: FloatArray,
) -> int:
    """Advance to the last stage, which is the end of a step of a stiffly accurate method.

    ``w`` are weights of the imposed combination, as the first of ``dense.numbers``; ``found``
    receives the accelerations of the stages.
    """
    t = state.clock[0]
    stages = _new_stages(work, state, dense, h, A, w)
    before = FIRST
    for _ in range(limit):
        status, size = _improve(kernels, work, state, dense, stages, w, t, h)
        if status == OK:
            status = verdict(work.counters, state.q, size, before, tolerance)
        if status == OK:
            _go_to(stages, A.shape[0] - 1, state)
            state.clock[0] = t + h
            for i in range(A.shape[0]):
                for k in range(len(state.q)):
                    found[i, k] = stages.x[i, k]
        if status != GO_ON:
            return status
        before = size
    return NOT_CONVERGED
