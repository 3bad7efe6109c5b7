"""Linearised equations at a state: dynamics, and constraints of three levels."""

from typing import NamedTuple

import numpy as np

from mbdgen.runtime.program.compiled_functions import internal, separate
from mbdgen.runtime.program.kernel_abi import KERNELS, Kernels
from mbdgen.runtime.solvers.constraint_combination import evaluate_all
from mbdgen.runtime.solvers.dense_workspace import DENSE, N_Q, DenseWorkspace
from mbdgen.runtime.solvers.saddle_point import fill_weighted, spread
from mbdgen.runtime.system.kernel_calls import call, largest
from mbdgen.runtime.system.run_workspace import (
    NOT_FINITE,
    OK,
    REAL_ARRAY,
    REAL_TABLE,
    STATE,
    WORK,
    RunWorkspace,
    State,
)
from mbdgen.runtime.system.system_data import FloatArray, IntArray
from mbdgen.subset import types


class LinearisedEquations(NamedTuple):
    """The equations around a state.

    ``r + M da + C dv + K dq = G^T dlam``,  ``phi + H dq = 0``,  ``phi_dot + H dv + H_dot dq = 0``,
    ``phi_ddot + H da + 2 H_dot dv + H_ddot dq = 0``

    Attributes
    ----------
    M, C, K : array
        Derivatives of ``r`` by ``a``, ``v``, ``q``; reactions are part of ``K``.
    G : array
        One row for each multiplier, a column for each row of ``r``. Rows are divided by
        ``sqrt(eps)``: solutions of least norm then give the same multipliers of redundant
        constraints as all other methods.
    H, H_dot, H_ddot : array
        Jacobian of all constraints, including normalisation, and its rates.
    r, phi, phi_dot, phi_ddot : array
        Values at the state.
    slopes : array
        Output of the kernel.
    """

    M: FloatArray
    C: FloatArray
    K: FloatArray
    G: FloatArray
    H: FloatArray
    H_dot: FloatArray
    H_ddot: FloatArray
    r: FloatArray
    phi: FloatArray
    phi_dot: FloatArray
    phi_ddot: FloatArray
    slopes: FloatArray


LINEAR = types.NamedTuple((*[REAL_TABLE] * 7, *[REAL_ARRAY] * 5), LinearisedEquations)


@internal
def new_linear(work: RunWorkspace, dense: DenseWorkspace) -> LinearisedEquations:
    """Allocate the arrays."""
    m, n_r, n_q, n_lam = len(work.rows), len(dense.dynamics), dense.sizes[N_Q], len(work.eps)
    return LinearisedEquations(
        np.zeros((n_r, n_q)),
        np.zeros((n_r, n_q)),
        np.zeros((n_r, n_q)),
        np.zeros((n_lam, n_r)),
        np.zeros((m, n_q)),
        np.zeros((m, n_q)),
        np.zeros((m, n_q)),
        np.zeros(n_r),
        np.zeros(m),
        np.zeros(m),
        np.zeros(m),
        np.zeros(2 * len(work.values)),
    )


@internal
def _take(source: FloatArray, rows: IntArray, target: FloatArray) -> None:
    """``target <- source[rows]``, as many columns as the target has."""
    for i in range(target.shape[0]):
        for j in range(target.shape[1]):
            target[i, j] = source[rows[i], j]


@separate(types.int64(KERNELS, WORK, STATE, DENSE, LINEAR))
def linearise(
    kernels: Kernels,
    work: RunWorkspace,
    state: State,
    dense: DenseWorkspace,
    linear: LinearisedEquations,
) -> int:
    """Evaluate everything at the state; ``dense.K`` is overwritten."""
    t, q, v, a, lam = state.clock[0], state.q, state.v, state.a, state.lam
    n_q, n = len(q), len(work.x)
    dynamics, rows = dense.dynamics, work.rows
    status = evaluate_all(kernels, work, state)
    for i in range(len(dynamics)):
        linear.r[i] = work.residual[dynamics[i]]
    for i in range(len(rows)):
        linear.phi[i] = work.residual[rows[i]]
        linear.phi_dot[i] = work.rates[rows[i]]
        linear.phi_ddot[i] = work.rates[n + rows[i]]
    if status == OK:
        status = fill_weighted(kernels, work, state, dense, 0.0, 1.0, 0.0)
        _take(dense.K, dynamics, linear.C)
    if status == OK:
        status = fill_weighted(kernels, work, state, dense, 1.0, 0.0, 0.0)
        _take(dense.K, dynamics, linear.K)
    if status == OK:
        status = fill_weighted(kernels, work, state, dense, 0.0, 0.0, 1.0)
        _take(dense.K, dynamics, linear.M)
        _take(dense.K, rows, linear.H)
        for k in range(len(lam)):
            for i in range(len(dynamics)):
                linear.G[k, i] = -dense.K[dynamics[i], n_q + k] / np.sqrt(work.eps[k])
    if status != OK:
        return status
    out = linear.slopes
    status = call(kernels.slopes, t, q, v, a, lam, work.weights, work.p, work.m, out)
    if status != OK:
        return status
    spread(work, out, 0, dense.K)
    _take(dense.K, rows, linear.H_dot)
    spread(work, out, len(work.values), dense.K)
    _take(dense.K, rows, linear.H_ddot)
    # A value that is not finite would raise an exception in the factorisations below.
    size = largest(linear.K.ravel()) + largest(linear.C.ravel()) + largest(linear.M.ravel())
    size += largest(linear.H.ravel()) + largest(out) + largest(work.residual) + largest(work.rates)
    return OK if size <= 1e300 else NOT_FINITE
