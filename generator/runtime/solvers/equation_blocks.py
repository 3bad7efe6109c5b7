"""Blocks of the dense equations, for eliminations of the Lagrange multipliers.

``A x - G^T lam = f``,  ``H x = c``

``H`` has all constraint rows, including normalisation equations; ``A`` and ``G`` have the remaining
rows of the dynamics, one row or column for each virtual displacement. The ranks of ``H`` and ``G``
are known from the degrees of freedom. They are never determined numerically: at a position that
slightly violates redundant constraints, the rank of ``H`` is larger.
"""

from typing import NamedTuple

import numpy as np

from mbdgen.runtime.linalg.dense_lu import lu, lu_solve
from mbdgen.runtime.program.compiled_functions import internal
from mbdgen.runtime.solvers.dense_workspace import DOF, DenseWorkspace
from mbdgen.runtime.system.run_workspace import OK, RunWorkspace
from mbdgen.runtime.system.system_data import FloatArray


class Blocks(NamedTuple):
    """Contiguous copies of the blocks of ``K x = rhs``."""

    A: FloatArray
    G: FloatArray
    H: FloatArray
    f: FloatArray
    c: FloatArray


@internal
def constraint_rows(work: RunWorkspace, dense: DenseWorkspace) -> tuple[FloatArray, FloatArray]:
    """``H`` and ``c`` of ``H x = c``."""
    m, n_q = len(work.rows), dense.K.shape[0] - len(work.eps)
    H, c = np.empty((m, n_q)), np.empty(m)
    for i in range(m):
        row = work.rows[i]
        c[i] = dense.rhs[row]
        for j in range(n_q):
            H[i, j] = dense.K[row, j]
    return H, c


@internal
def take_apart(work: RunWorkspace, dense: DenseWorkspace) -> Blocks:
    """Copy the blocks of ``K x = rhs``."""
    n_lam, n_r = len(work.eps), len(dense.dynamics)
    n_q = dense.K.shape[0] - n_lam
    H, c = constraint_rows(work, dense)
    A, G, f = np.empty((n_r, n_q)), np.empty((n_lam, n_r)), np.empty(n_r)
    for i in range(n_r):
        row = dense.dynamics[i]
        f[i] = dense.rhs[row]
        for j in range(n_q):
            A[i, j] = dense.K[row, j]
        for k in range(n_lam):
            G[k, i] = -dense.K[row, n_q + k]
    return Blocks(A, G, H, f, c)


@internal
def ranks(blocks: Blocks, dense: DenseWorkspace) -> tuple[int, int]:
    """Ranks of ``H`` and ``G``."""
    dof = dense.sizes[DOF]
    return blocks.H.shape[1] - dof, blocks.G.shape[1] - dof


@internal
def move_along(blocks: Blocks, along: FloatArray, across: FloatArray, x: FloatArray) -> int:
    """Null-space step ``x += N y`` without multipliers: ``Z^T A N y = Z^T (f - A x)``.

    The rows of ``along`` are a basis ``N`` of the null space of ``H``, those of ``across`` a basis
    ``Z`` of the null space of ``G``.
    """
    dof = along.shape[0]
    if dof == 0:
        return OK
    order = np.empty(dof, np.int64)
    y = np.empty(dof)
    matrix = (across @ blocks.A) @ along.T
    status = lu(matrix, order)
    if status == OK:
        lu_solve(matrix, order, across @ (blocks.f - blocks.A @ x), y)
        x += y @ along
    return status


@internal
def write_solution(dense: DenseWorkspace, x: FloatArray, lam: FloatArray) -> None:
    """``dense.x <- (x, lam)``."""
    for i in range(len(x)):
        dense.x[i] = x[i]
    for k in range(len(lam)):
        dense.x[len(x) + k] = lam[k]
