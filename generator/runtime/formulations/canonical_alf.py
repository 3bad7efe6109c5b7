"""Augmented Lagrangian on Hamilton's canonical equations: momenta instead of velocities.

``p = M v - G^T s``,  ``p_dot = M_dot v - G_dot^T s + f``,

``phi_dot + 2 xi omega phi + omega^2 I = 0``,  ``s_dot = lam``,  ``I_dot = phi``

At every evaluation ``v`` and ``s`` follow from ``p`` and
the constraints by the iteration of augmented Lagrangians, whose matrix is ``M + G^T alpha H``; the
constraints are differentiated once only. Rows are those of the dynamics, so ``p`` of a quaternion
body is linear and angular momentum, the latter in its own axes.

The generated tangent has the two derivatives in ``p_dot`` exactly: with ``r = M a - f - G^T lam``
they are ``(dr/dq(a = v, lam = s) - dr/dq(a = 0, lam = 0)) v``. Reaction directions that depend on
time explicitly would add to that: where drivers have been eliminated it is refused.

``z`` has the layout of the rows: ``p`` in those of the dynamics, ``I`` in those of constraints.
There is no ``solve``: implicit relations are written in accelerations, which momenta do not
contain.

After Bayo and Avello (1994).
"""

from typing import Any

import numpy as np

from mbdgen.runtime.formulations.base import STABILISATION, Formulation, stabilised
from mbdgen.runtime.program.compiled_functions import internal
from mbdgen.runtime.program.kernel_abi import Kernels
from mbdgen.runtime.solvers.augmented_lagrangian import (
    by_augmented_lagrangian,
    eliminate_augmented,
    penalty_option,
)
from mbdgen.runtime.solvers.constraint_combination import evaluate_all
from mbdgen.runtime.solvers.constraint_levels import find_accelerations, take_positions
from mbdgen.runtime.solvers.dense_workspace import OF_PHI, OF_PHI_DOT, OPTIONS, DenseWorkspace
from mbdgen.runtime.solvers.saddle_point import fill_matrix
from mbdgen.runtime.solvers.scheme_functions import completes, slopes
from mbdgen.runtime.system.kernel_calls import evaluate_matrix, evaluate_residual
from mbdgen.runtime.system.run_workspace import OK, RunWorkspace, State
from mbdgen.runtime.system.system import System
from mbdgen.runtime.system.system_data import FloatArray


@completes
def velocities(kernels: Kernels, work: RunWorkspace, state: State, dense: DenseWorkspace) -> int:
    """``[M, -G^T; H, 0] [v; s] = [p; -phi_t - 2 xi omega phi - omega^2 I]``, ``lam <- s``."""
    return _find_velocities(kernels, work, state, dense)


@internal
def _find_velocities(
    kernels: Kernels, work: RunWorkspace, state: State, dense: DenseWorkspace
) -> int:
    v, lam, n_q, w = state.v, state.lam, len(state.q), dense.numbers
    for i in range(n_q):
        v[i] = 0.0
    status = evaluate_all(kernels, work, state)
    if status == OK:
        status = fill_matrix(kernels, work, state, dense, 0.0, 0.0)
    if status != OK:
        return status
    for i in range(len(dense.rhs)):
        dense.rhs[i] = dense.z[i]
    for row in work.rows:
        drift = w[OF_PHI_DOT] * work.residual[row] + w[OF_PHI] * dense.z[row]
        dense.rhs[row] = -work.rates[row] - drift
    status = eliminate_augmented(work, dense, w[OPTIONS])
    for i in range(n_q):
        v[i] = dense.x[i]
    for k in range(len(lam)):
        lam[k] = dense.x[n_q + k]
    return status


@internal
def _add_turning(
    kernels: Kernels,
    work: RunWorkspace,
    state: State,
    dense: DenseWorkspace,
    a: FloatArray,
    sign: float,
) -> int:
    """``z_dot += sign dr/dq v`` at accelerations ``a`` and the multipliers of the state."""
    work.weights[0], work.weights[1], work.weights[2] = 1.0, 0.0, 0.0
    t, q, v, lam = state.clock[0], state.q, state.v, state.lam
    status = evaluate_matrix(kernels, work, t, q, v, a, lam)
    for j in range(len(q)):
        for place in range(work.indptr[j], work.indptr[j + 1]):
            dense.z_dot[work.indices[place]] += sign * work.values[place] * v[j]
    return status


@internal
def _momentum_rates(
    kernels: Kernels, work: RunWorkspace, state: State, dense: DenseWorkspace
) -> int:
    """``z_dot <- (p_dot, phi)``; multipliers of the state are ``s`` before, and zero after."""
    for i in range(len(dense.z_dot)):
        dense.z_dot[i] = 0.0
    status = _add_turning(kernels, work, state, dense, state.v, 1.0)
    for k in range(len(state.lam)):
        state.lam[k] = 0.0
    if status == OK:
        status = _add_turning(kernels, work, state, dense, work.zero, -1.0)
    if status == OK:
        t, q, v, lam = state.clock[0], state.q, state.v, state.lam
        status = evaluate_residual(kernels, work, t, q, v, work.zero, lam)
    for i in range(len(dense.z_dot)):
        dense.z_dot[i] -= work.residual[i]
    for row in work.rows:
        dense.z_dot[row] = work.residual[row]
    return status


@slopes
def slope(
    eliminate: Any,
    complete: Any,
    kernels: Kernels,
    work: RunWorkspace,
    state: State,
    dense: DenseWorkspace,
    t: float,
    y: FloatArray,
    y_dot: FloatArray,
) -> int:
    """``y_dot = (v, a, z_dot)``; ``v`` of ``y`` itself is not used."""
    n_q = len(state.q)
    state.clock[0] = t
    take_positions(state, dense, y)
    status = _find_velocities(kernels, work, state, dense)
    if status == OK:
        status = _momentum_rates(kernels, work, state, dense)
    if status == OK:
        status = find_accelerations(eliminate, kernels, work, state, dense, y_dot)
    for i in range(len(dense.z)):
        y_dot[2 * n_q + i] = dense.z_dot[i]
    return status


def _begin(system: System, state: State) -> FloatArray:
    """``p = M v``: the residual is linear in the accelerations."""
    at_rest, lam = np.zeros(system.n_q), np.zeros(system.n_lam)
    where = float(state.clock[0]), state.q, state.v
    z: FloatArray = system.residual(*where, state.v, lam) - system.residual(*where, at_rest, lam)
    z[system.work.rows] = 0.0
    return z


FORMULATION = Formulation(
    name="canonical-alf",
    text="augmented Lagrangian on canonical equations: momenta, one derivative of constraints",
    source="E. Bayo, A. Avello: Singularity-free augmented Lagrangian algorithms for constrained "
    "multibody dynamics, Nonlinear Dyn. 5 (1994) 209-231.",
    weights=lambda values: (*stabilised(*values[1:]), 0.0),
    options=(
        penalty_option(1e4, 1e-6, 1e7, "kg"),
        *STABILISATION,
    ),
    eliminate=by_augmented_lagrangian,
    levels=(),
    timed=False,
    complete=velocities,
    slope=slope,
    solve=None,
    begin=_begin,
)
