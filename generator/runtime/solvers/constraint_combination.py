"""Linear system for accelerations and Lagrange multipliers, for any imposed constraint level.

``[M + c_v C + c_q (K + W), -G^T; H, 0] x = -[r; (w_2 phi_ddot + w_1 phi_dot + w_0 phi)/s]``

With ``q = q_known + c_q a`` and ``v = v_known + c_v a`` the derivative of the imposed combination
in ``a`` is ``s H``, ``s = w_2 + c_v w_1 + c_q w_0``: the derivative of ``H``
by ``q`` is neglected in the rows of velocity and acceleration, which costs iterations, not
accuracy. At a given state ``c_q = c_v = 0``. Weights ``w`` are the first of ``dense.numbers``, or
others in the same order.

Nonholonomic rows have no ``phi``: ``w_2 psi_dot + w_1 psi`` is imposed, and ``psi`` where the
formulation imposes positions only.
"""

import numpy as np

from mbdgen.runtime.program.compiled_functions import internal
from mbdgen.runtime.program.kernel_abi import Kernels
from mbdgen.runtime.solvers.dense_workspace import (
    OF_PHI,
    OF_PHI_DDOT,
    OF_PHI_DOT,
    OPTIONS,
    DenseWorkspace,
)
from mbdgen.runtime.solvers.saddle_point import fill_matrix
from mbdgen.runtime.system.kernel_calls import evaluate_rates, evaluate_residual, largest
from mbdgen.runtime.system.run_workspace import NOT_FINITE, OK, RunWorkspace, State
from mbdgen.runtime.system.system_data import FloatArray
from mbdgen.subset import types

_NUMBER = types.float64


@internal
def of_accelerations() -> FloatArray:
    """Return the weights of ``phi_ddot`` alone."""
    w = np.zeros(OPTIONS)
    w[OF_PHI_DDOT] = 1.0
    return w


@internal
def of_velocities(work: RunWorkspace, w: FloatArray, row: int) -> tuple[float, float]:
    """Return the weights of ``phi`` and ``phi_dot`` in a row; nonholonomic ones: see the module."""
    if work.holonomic[row] != 0.0:
        return w[OF_PHI], w[OF_PHI_DOT]
    alone = w[OF_PHI_DOT] == 0.0 and w[OF_PHI_DDOT] == 0.0
    return 0.0, w[OF_PHI] if alone else w[OF_PHI_DOT]


@internal
def of_unknowns(work: RunWorkspace, w: FloatArray, row: int, c_q: float, c_v: float) -> float:
    """Return ``s``, the derivative factor of the imposed combination by accelerations."""
    of_phi, of_phi_dot = of_velocities(work, w, row)
    return w[OF_PHI_DDOT] + c_v * of_phi_dot + c_q * of_phi


@internal
def imposed(work: RunWorkspace, w: FloatArray, row: int) -> float:
    """Return the imposed combination of one constraint row."""
    of_phi, of_phi_dot = of_velocities(work, w, row)
    total = of_phi * work.residual[row] + of_phi_dot * work.rates[row]
    return total + w[OF_PHI_DDOT] * work.rates[len(work.x) + row]


@internal
def evaluate_all(kernels: Kernels, work: RunWorkspace, state: State) -> int:
    """``work.residual`` and ``work.rates`` at the state."""
    t, q, v, a, lam = state.clock[0], state.q, state.v, state.a, state.lam
    status = evaluate_residual(kernels, work, t, q, v, a, lam)
    return status if status != OK else evaluate_rates(kernels, work, t, q, v, a, lam)


@internal
def set_up(
    kernels: Kernels,
    work: RunWorkspace,
    state: State,
    dense: DenseWorkspace,
    w: FloatArray,
    c_q: float,
    c_v: float,
) -> int:
    """Fill ``dense.K`` and ``dense.rhs`` at the state."""
    # Not `evaluate_all`: each call level would pass all arrays again.
    t, q, v, a, lam = state.clock[0], state.q, state.v, state.a, state.lam
    status = evaluate_residual(kernels, work, t, q, v, a, lam)
    if status == OK:
        status = evaluate_rates(kernels, work, t, q, v, a, lam)
    if status == OK:
        status = fill_matrix(kernels, work, state, dense, c_q, c_v)
    if status != OK:
        return status
    for i in range(len(dense.rhs)):
        dense.rhs[i] = -work.residual[i]
    for row in work.rows:
        dense.rhs[row] = -imposed(work, w, row) / of_unknowns(work, w, row, c_q, c_v)
    return OK if largest(dense.rhs) <= 1e300 else NOT_FINITE
