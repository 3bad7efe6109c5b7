"""Householder's QR with pivots among the rows, as a factorisation of `dense.basis`."""

import numpy as np

from mbdgen.runtime.compiled import internal
from mbdgen.runtime.data import FloatArray
from mbdgen.runtime.dense.basis import product_by
from mbdgen.runtime.dense.unit import fill_identity
from mbdgen.runtime.work import OK, SINGULAR_TANGENT


@internal
def _longest_row(rest: FloatArray, k: int) -> tuple[int, float]:
    """Row with the longest part behind column ``k``, and the square of its length."""
    row, longest = -1, 0.0
    for i in range(rest.shape[0]):
        square = 0.0
        for j in range(k, rest.shape[1]):
            square += rest[i, j] ** 2
        if square > longest:
            row, longest = i, square
    return row, longest


@internal
def _householder(matrix: FloatArray, rank: int, left: FloatArray, basis: FloatArray) -> int:
    """``matrix P_1 ... P_rank = [L, 0]`` and ``[B; N] = P_rank ... P_1``.

    Reflection ``P_k = 1 - 2 u u^T`` brings what is left of the longest row onto axis ``k``. Rows
    that depend on those have nothing left but round-off, or what a violated position adds.
    """
    m, n = matrix.shape
    rest, u = matrix.copy(), np.zeros(n)
    fill_identity(basis)
    for k in range(rank):
        row, square = _longest_row(rest, k)
        if row < 0 or not np.isfinite(square):
            return SINGULAR_TANGENT
        length = np.sqrt(square)
        head = rest[row, k] + np.copysign(length, rest[row, k])
        scale = 1.0 / (length * abs(head))
        u[k] = head
        for j in range(k + 1, n):
            u[j] = rest[row, j]
        for i in range(m):
            part = 0.0
            for j in range(k, n):
                part += rest[i, j] * u[j]
            for j in range(k, n):
                rest[i, j] -= scale * part * u[j]
        for j in range(n):
            part = 0.0
            for i in range(k, n):
                part += u[i] * basis[i, j]
            for i in range(k, n):
                basis[i, j] -= scale * part * u[i]
        for j in range(k + 1, n):
            rest[row, j] = 0.0
    for i in range(m):
        for k in range(rank):
            left[i, k] = rest[i, k]
    return OK


by_householder = product_by(_householder)
"""``(matrix, rank) -> status, product``"""
