"""Householder QR factorisation with row pivoting, for `linalg.orthonormal_bases`."""

import numpy as np

from mbdgen.runtime.linalg.orthonormal_bases import fill_identity, product_by
from mbdgen.runtime.linalg.pivot_reuse import PivotChoice, next_row, part_of
from mbdgen.runtime.program.compiled_functions import internal
from mbdgen.runtime.system.system_data import FloatArray


@internal
def _reflect(table: FloatArray, u: FloatArray, scale: float, k: int, first: int) -> None:
    """Apply the reflection ``table <- P table`` from column ``first`` on.

    ``P = 1 - scale u u^T``, with ``u_i = 0`` for ``i < k``.
    """
    n, m = table.shape
    parts = np.zeros(m)
    for i in range(k, n):
        for j in range(first, m):
            parts[j] += u[i] * table[i, j]
    for j in range(first, m):
        parts[j] *= scale
    for i in range(k, n):
        for j in range(first, m):
            table[i, j] -= u[i] * parts[j]


@internal
def _householder(
    matrix: FloatArray,
    rank: int,
    pivots: PivotChoice,
    choose: bool,
    left: FloatArray,
    basis: FloatArray,
) -> float:
    """Factorise ``matrix P_1 ... P_rank = [L, 0]`` and ``[B; N] = P_rank ... P_1``.

    Reflection ``P_k`` maps the remainder of pivot row ``k`` to axis ``k``. Dependent rows have no
    remainder except round-off, or the effect of a violated position. Both tables are transposed,
    for contiguous memory access.
    """
    n = matrix.shape[1]
    rest, axes = matrix.T.copy(), np.empty((n, n))
    u, scales = np.zeros((rank, n)), np.empty(rank)
    smallest = 1.0
    for k in range(rank):
        row, length = next_row(rest.T, k, k, pivots, choose)
        smallest = min(smallest, part_of(length, pivots.sizes[k]))
        if smallest == 0.0:
            return smallest
        u[k, k] = rest[k, row] + np.copysign(length, rest[k, row])
        for j in range(k + 1, n):
            u[k, j] = rest[j, row]
        scales[k] = 1.0 / (length * abs(u[k, k]))
        _reflect(rest, u[k], scales[k], k, 0)
        for j in range(k + 1, n):
            rest[j, row] = 0.0
    left[:, :] = rest[:rank].T
    fill_identity(axes)
    for k in range(rank - 1, -1, -1):
        _reflect(axes, u[k], scales[k], k, k)  # all before are still unit vectors
    basis[:, :] = axes.T
    return smallest


by_householder = product_by(_householder)
"""``(matrix, rank, pivots) -> status, product``"""
