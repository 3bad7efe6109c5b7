"""Null spaces of DIMCD: the equations of motion projected to as many as degrees of freedom.

Reactions act along ``G^T`` at ``x(t)``, in the rows of the dynamics; the next position moves along
the null space of ``H`` at ``x(t + h)``, norm rows included. The two are different matrices, and
``N_G^T A N_H`` is square because both null spaces have the dimension of the degrees of freedom.
"""

from typing import NamedTuple

import numpy as np

from mbdgen.runtime.linalg.dense_lu import lu, lu_solve
from mbdgen.runtime.linalg.householder import by_householder
from mbdgen.runtime.linalg.orthonormal_bases import (
    PRODUCT,
    OrthonormalProduct,
    multipliers_of,
    smallest_solution,
)
from mbdgen.runtime.linalg.pivot_reuse import no_pivots
from mbdgen.runtime.program.compiled_functions import internal, separate
from mbdgen.runtime.program.kernel_abi import KERNELS, Kernels
from mbdgen.runtime.solvers.dense_workspace import DOF, N_Q, DenseWorkspace
from mbdgen.runtime.steps.dimcd_velocities import roll_ahead
from mbdgen.runtime.system.kernel_calls import evaluate_matrix, evaluate_residual
from mbdgen.runtime.system.run_workspace import (
    FACTORISATIONS,
    INT_ARRAY,
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


class Spaces(NamedTuple):
    """Workspace of one step.

    Attributes
    ----------
    places : array of int
        See `mbdgen.runtime.solvers.dense_workspace.DenseWorkspace`.
    G, H : array
        Constraint Jacobians; rows of ``G`` are divided by ``sqrt(eps)``.
    reactions : OrthonormalProduct
        Orthogonal factorisation of ``G``.
    n_g, n_h : array, shapes (dof, rows of the dynamics) and (dof, n_q)
        Bases of the null spaces, as rows.
    inertia, tangent : array, shape (dof, n_q)
        ``N_G^T M`` and ``N_G^T A``.
    reduced : array, shape (dof, dof)
        ``N_G^T A N_H``, then its factors.
    order : array of int
        Row order of these factors.
    rhs, alpha : array
        Right-hand side and solution.
    violation : array
        ``-phi``.
    change : array
        Change of the next position.
    """

    places: IntArray
    G: FloatArray
    H: FloatArray
    reactions: OrthonormalProduct
    n_g: FloatArray
    n_h: FloatArray
    inertia: FloatArray
    tangent: FloatArray
    reduced: FloatArray
    order: IntArray
    rhs: FloatArray
    alpha: FloatArray
    violation: FloatArray
    change: FloatArray


SPACES = types.NamedTuple(
    (
        INT_ARRAY,
        *(REAL_TABLE, REAL_TABLE, PRODUCT),
        *(REAL_TABLE, REAL_TABLE),
        *(REAL_TABLE, REAL_TABLE, REAL_TABLE),
        INT_ARRAY,
        *(REAL_ARRAY, REAL_ARRAY, REAL_ARRAY, REAL_ARRAY),
    ),
    Spaces,
)


@internal
def new_spaces(work: RunWorkspace, dense: DenseWorkspace) -> Spaces:
    """Allocate the workspace of a step."""
    m, n_r, dof = len(work.rows), len(dense.dynamics), dense.sizes[DOF]
    n_q, n_lam, rank_g = dense.sizes[N_Q], len(work.eps), n_r - dof
    return Spaces(
        dense.places,
        np.empty((n_lam, n_r)),
        np.empty((m, n_q)),
        OrthonormalProduct(
            np.empty((n_lam, rank_g)), np.empty((rank_g, rank_g)), np.empty((n_r, n_r))
        ),
        np.empty((dof, n_r)),
        np.empty((dof, n_q)),
        np.empty((dof, n_q)),
        np.empty((dof, n_q)),
        np.empty((dof, dof)),
        np.empty(dof, np.int64),
        np.empty(dof),
        np.empty(dof),
        np.empty(m),
        np.empty(n_q),
    )


@internal
def _evaluate(
    kernels: Kernels,
    work: RunWorkspace,
    state: State,
    t: float,
    q: FloatArray,
    c_v: float,
    c_a: float,
) -> int:
    """``work.values <- [c_v C + c_a M, -G^T; H, 0]`` at ``t``, ``q``."""
    work.weights[0], work.weights[1], work.weights[2] = 0.0, c_v, c_a
    return evaluate_matrix(kernels, work, t, q, state.v, state.a, state.lam)


@internal
def _project(work: RunWorkspace, spaces: Spaces, target: FloatArray) -> None:
    """``target <- N_G^T`` times the dynamics rows in ``work.values``."""
    dof, n_q = target.shape
    target[:, :] = 0.0
    for j in range(n_q):
        for p in range(work.indptr[j], work.indptr[j + 1]):
            row = spaces.places[work.indices[p]]
            if row >= 0:
                for k in range(dof):
                    target[k, j] += spaces.n_g[k, row] * work.values[p]


@separate(types.int64(KERNELS, WORK, STATE, SPACES))
def take_reactions_out(kernels: Kernels, work: RunWorkspace, state: State, spaces: Spaces) -> int:
    """``N_G`` and ``N_G^T M`` at the state, which are constant during the iterations of a step.

    Rows of ``G`` are divided by ``sqrt(eps)``, so that Lagrange multipliers of redundant
    constraints have least norm in the same metric as those of the other methods.
    """
    G, n_q = spaces.G, len(state.q)
    status = _evaluate(kernels, work, state, state.clock[0], state.q, 0.0, 1.0)
    if status != OK:
        return status
    G[:, :] = 0.0
    for k in range(len(work.eps)):
        scale = -1.0 / np.sqrt(work.eps[k])
        for p in range(work.indptr[n_q + k], work.indptr[n_q + k + 1]):
            row = spaces.places[work.indices[p]]
            if row >= 0:
                G[k, row] = scale * work.values[p]
    rank = spaces.reactions.R.shape[0]
    status, product = by_householder(G, rank, no_pivots(*G.shape))
    if status != OK:
        return int(status)
    work.counters[FACTORISATIONS] += 1
    spaces.reactions.Q[:, :] = product.Q
    spaces.reactions.R[:, :] = product.R
    spaces.reactions.basis[:, :] = product.basis
    spaces.n_g[:, :] = product.basis[rank:]
    _project(work, spaces, spaces.inertia)
    return OK


@separate(
    types.int64(KERNELS, WORK, STATE, SPACES, types.float64, types.float64, types.boolean),
)
def project_equilibrium(
    kernels: Kernels,
    work: RunWorkspace,
    state: State,
    spaces: Spaces,
    c_v: float,
    c_a: float,
    split: bool,
) -> int:
    """``tangent <- N_G^T A``, ``rhs <- -N_G^T r`` at the state.

    With ``split``, the inertia terms are ``N_G^T M`` of the beginning of the step, times scalars
    and vectors; only velocity-dependent terms are evaluated.
    """
    t, q, v, a, lam = state.clock[0], state.q, state.v, state.a, state.lam
    status = evaluate_residual(kernels, work, t, q, v, work.zero if split else a, lam)
    if status == OK:
        status = _evaluate(kernels, work, state, t, q, c_v, 0.0 if split else c_a)
    if status != OK:
        return status
    _project(work, spaces, spaces.tangent)
    dof, n_q = spaces.tangent.shape
    for k in range(dof):
        total = 0.0
        for row in range(n_q):
            if spaces.places[row] >= 0:
                total += spaces.n_g[k, spaces.places[row]] * work.residual[row]
        if split:
            for j in range(n_q):
                total += spaces.inertia[k, j] * a[j]
                spaces.tangent[k, j] += c_a * spaces.inertia[k, j]
        spaces.rhs[k] = -total
    return OK


@separate(types.int64(KERNELS, WORK, STATE, SPACES, types.float64, types.float64, REAL_ARRAY))
def linearise_constraints(
    kernels: Kernels,
    work: RunWorkspace,
    state: State,
    spaces: Spaces,
    h: float,
    c_v: float,
    ahead: FloatArray,
) -> int:
    """``N_H`` at ``ahead``, a step ``h`` later, and ``change <- p``, ``H p = -phi``."""
    H, n_q, t = spaces.H, len(ahead), state.clock[0] + h
    status = evaluate_residual(kernels, work, t, ahead, state.v, state.a, state.lam)
    if status == OK:
        status = _evaluate(kernels, work, state, t, ahead, 0.0, 0.0)
    if status != OK:
        return status
    H[:, :] = 0.0
    for j in range(n_q):
        for p in range(work.indptr[j], work.indptr[j + 1]):
            k = -1 - spaces.places[work.indices[p]]
            if k >= 0:
                H[k, j] = work.values[p]
    for k in range(len(work.rows)):
        spaces.violation[k] = -work.residual[work.rows[k]]
    if len(work.velocity_rows) > 0:
        violation = spaces.violation
        status = roll_ahead(kernels, work, state, h, c_v, ahead, spaces.places, H, violation)
        if status != OK:
            return status
    rank = n_q - spaces.n_h.shape[0]
    status, product = by_householder(H, rank, no_pivots(*H.shape))
    if status != OK:
        return int(status)
    work.counters[FACTORISATIONS] += 1
    spaces.n_h[:, :] = product.basis[rank:]
    spaces.change[:] = smallest_solution(product, spaces.violation)
    return OK


@separate(types.int64(SPACES))
def solve_reduced(spaces: Spaces) -> int:
    """``change <- p + N_H alpha`` with ``N_G^T A N_H alpha = rhs - N_G^T A p``."""
    dof, n_q = spaces.tangent.shape
    for k in range(dof):
        for j in range(n_q):
            spaces.rhs[k] -= spaces.tangent[k, j] * spaces.change[j]
        for i in range(dof):
            total = 0.0
            for j in range(n_q):
                total += spaces.tangent[k, j] * spaces.n_h[i, j]
            spaces.reduced[k, i] = total
    status = lu(spaces.reduced, spaces.order)
    if status != OK:
        return status
    lu_solve(spaces.reduced, spaces.order, spaces.rhs, spaces.alpha)
    for k in range(dof):
        for j in range(n_q):
            spaces.change[j] += spaces.alpha[k] * spaces.n_h[k, j]
    return OK


@separate(types.int64(KERNELS, WORK, STATE, SPACES))
def find_reactions(kernels: Kernels, work: RunWorkspace, state: State, spaces: Spaces) -> int:
    """Solve ``G^T lam = r``, the residual of the dynamics at the state without multipliers."""
    t, q, v, a, lam = state.clock[0], state.q, state.v, state.a, state.lam
    for k in range(len(lam)):
        lam[k] = 0.0
    status = evaluate_residual(kernels, work, t, q, v, a, lam)
    left = np.empty(spaces.n_g.shape[1])
    for row in range(len(q)):
        if spaces.places[row] >= 0:
            left[spaces.places[row]] = work.residual[row]
    shares = multipliers_of(spaces.reactions, left)
    for k in range(len(lam)):
        lam[k] = shares[k] / np.sqrt(work.eps[k])
    return status
