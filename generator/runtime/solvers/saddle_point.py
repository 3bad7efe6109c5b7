"""Saddle-point system (KKT) of a formulation, dense: ``[A, -G^T; H, D] x = rhs``.

Rows and columns are those of the iteration matrix (docs/decisions/004-rows.md): the first ``n_q``
rows are those of the dynamics, including normalisation equations, the others those of joints.
"""

from mbdgen.runtime.linalg.dense_lu import lu, lu_solve
from mbdgen.runtime.program.compiled_functions import internal, separate
from mbdgen.runtime.program.kernel_abi import KERNELS, Kernels
from mbdgen.runtime.solvers.dense_workspace import DENSE, DenseWorkspace
from mbdgen.runtime.system.kernel_calls import evaluate_matrix
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

_NUMBER = types.float64


@internal
def spread(work: RunWorkspace, values: FloatArray, first: int, table: FloatArray) -> None:
    """Scatter values of the sparse pattern, starting at ``values[first]``, into a square matrix."""
    table[:, :] = 0.0
    for j in range(table.shape[0]):
        for p in range(work.indptr[j], work.indptr[j + 1]):
            table[work.indices[p], j] = values[first + p]


@separate(types.int64(KERNELS, WORK, STATE, DENSE, _NUMBER, _NUMBER, _NUMBER))
def fill_weighted(
    kernels: Kernels,
    work: RunWorkspace,
    state: State,
    dense: DenseWorkspace,
    c_q: float,
    c_v: float,
    c_a: float,
) -> int:
    """``dense.K <- [c_q r_q + c_v r_v + c_a r_a, -G^T; H, 0]`` at the state."""
    work.weights[0], work.weights[1], work.weights[2] = c_q, c_v, c_a
    t, q, v, a, lam = state.clock[0], state.q, state.v, state.a, state.lam
    status = evaluate_matrix(kernels, work, t, q, v, a, lam)
    spread(work, work.values, 0, dense.K)
    for i in range(len(state.q), dense.K.shape[0]):
        dense.K[i, i] = 0.0  # regularisation is left to the eliminations that need it
    return status


@separate(types.int64(KERNELS, WORK, STATE, DENSE, _NUMBER, _NUMBER))
def fill_matrix(
    kernels: Kernels,
    work: RunWorkspace,
    state: State,
    dense: DenseWorkspace,
    c_q: float,
    c_v: float,
) -> int:
    """``dense.K <- [c_q r_q + c_v r_v + r_a, -G^T; H, 0]`` at the state."""
    return fill_weighted(kernels, work, state, dense, c_q, c_v, 1.0)


@separate(types.int64(REAL_TABLE, REAL_ARRAY, INT_ARRAY, *(REAL_ARRAY,) * 4, types.int64))
def solve_with_eps(
    matrix: FloatArray,
    eps: FloatArray,
    order: IntArray,
    rhs: FloatArray,
    x: FloatArray,
    rest: FloatArray,
    change: FloatArray,
    size: int,
) -> int:
    """Solve ``matrix x = rhs`` by LU of ``matrix + eps``, and remove the effect of ``eps``.

    The matrix, which is overwritten, consists of square blocks of ``size`` rows, the last of which
    are those of multipliers; ``rest`` and ``change`` are workspace. Redundant rows are consistent:
    their multipliers have least norm in the metric of ``eps``, and the motion is not affected.
    """
    first = size - len(eps)
    for at in range(first, len(rhs), size):
        for k in range(len(eps)):
            matrix[at + k, at + k] += eps[k]
    status = lu(matrix, order)
    if status != OK:
        return status
    lu_solve(matrix, order, rhs, x)
    if len(eps) == 0:
        return OK
    for i in range(len(rhs)):
        rest[i] = 0.0
    for at in range(first, len(rhs), size):
        for k in range(len(eps)):
            rest[at + k] = eps[k] * x[at + k]
    lu_solve(matrix, order, rest, change)
    for i in range(len(rhs)):
        x[i] += change[i]
    return OK


@separate(types.int64(WORK, DENSE))
def eliminate_by_lu(work: RunWorkspace, dense: DenseWorkspace) -> int:
    """Solve ``K x = rhs`` by `solve_with_eps`."""
    factors, n = dense.spare[0], dense.K.shape[0]
    for i in range(n):
        for j in range(n):
            factors[i, j] = dense.K[i, j]
    work.counters[FACTORISATIONS] += 1
    return solve_with_eps(
        factors, work.eps, dense.order, dense.rhs, dense.x, dense.line[0], dense.line[1], n
    )
