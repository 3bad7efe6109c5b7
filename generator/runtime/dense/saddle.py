"""The equations of a formulation as one dense system ``[A, -G^T; H, D] x = rhs``.

Rows and columns are those of the iteration matrix (docs/decisions/004-rows.md): the first ``n_q``
rows are those of the dynamics, with the equations of norms among them, the others those of joints.
"""

from numba import types

from mbdgen.runtime.abi import KERNELS, Kernels
from mbdgen.runtime.compiled import separate
from mbdgen.runtime.dense.lu import lu, lu_solve
from mbdgen.runtime.dense.room import DENSE, Dense
from mbdgen.runtime.equations import evaluate_matrix
from mbdgen.runtime.work import FACTORISATIONS, OK, STATE, WORK, State, Work

_NUMBER = types.float64


@separate(types.int64(KERNELS, WORK, STATE, DENSE, _NUMBER, _NUMBER))
def fill_matrix(
    kernels: Kernels, work: Work, state: State, dense: Dense, c_q: float, c_v: float
) -> int:
    """``dense.K <- [c_q r_q + c_v r_v + r_a, -G^T; H, 0]`` at the state."""
    work.weights[0], work.weights[1], work.weights[2] = c_q, c_v, 1.0
    t, q, v, a, lam = state.clock[0], state.q, state.v, state.a, state.lam
    status = evaluate_matrix(kernels, work, t, q, v, a, lam)
    dense.K[:, :] = 0.0
    n = dense.K.shape[0]
    for j in range(n):
        for p in range(work.indptr[j], work.indptr[j + 1]):
            dense.K[work.indices[p], j] = work.values[p]
    for i in range(len(state.q), n):
        dense.K[i, i] = 0.0  # the regularisation belongs to those eliminations that need it
    return status


@separate(types.int64(WORK, DENSE))
def eliminate_by_lu(work: Work, dense: Dense) -> int:
    """Solve ``K x = rhs`` by LU of ``K + eps``, and take the effect of ``eps`` away again.

    Redundant rows are consistent: their multipliers become the smallest ones in the metric of
    ``eps``, and the motion does not notice.
    """
    factors, rest, change = dense.spare[0], dense.line[0], dense.line[1]
    n, n_lam = dense.K.shape[0], len(work.eps)
    n_q = n - n_lam
    for i in range(n):
        for j in range(n):
            factors[i, j] = dense.K[i, j]
    for k in range(n_lam):
        factors[n_q + k, n_q + k] += work.eps[k]
    work.counters[FACTORISATIONS] += 1
    status = lu(factors, dense.order)
    if status != OK:
        return status
    lu_solve(factors, dense.order, dense.rhs, dense.x)
    for i in range(n_q):
        rest[i] = 0.0
    for k in range(n_lam):
        rest[n_q + k] = work.eps[k] * dense.x[n_q + k]
    if n_lam > 0:
        lu_solve(factors, dense.order, rest, change)
        for i in range(n):
            dense.x[i] += change[i]
    return OK
