"""Householder's QR with pivots among the rows, as a factorisation of `dense.basis`."""

import numpy as np

from mbdgen.runtime.compiled import internal
from mbdgen.runtime.data import FloatArray
from mbdgen.runtime.dense.basis import product_by
from mbdgen.runtime.dense.identity import fill_identity
from mbdgen.runtime.dense.kept import PivotChoice, next_row, part_of


@internal
def _reflect(rest: FloatArray, basis: FloatArray, u: FloatArray, scale: float, k: int) -> None:
    """``rest <- rest P``, ``basis <- P basis``, ``P = 1 - scale u u^T``; ``u`` is zero before k."""
    n = len(u)
    for i in range(rest.shape[0]):
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


@internal
def _householder(
    matrix: FloatArray,
    rank: int,
    pivots: PivotChoice,
    choose: bool,
    left: FloatArray,
    basis: FloatArray,
) -> float:
    """``matrix P_1 ... P_rank = [L, 0]`` and ``[B; N] = P_rank ... P_1``.

    Reflection ``P_k`` brings what is left of row ``k`` of the choice onto axis ``k``. Rows that
    depend on those have nothing left but round-off, or what a violated position adds.
    """
    m, n = matrix.shape
    rest, u = matrix.copy(), np.zeros(n)
    smallest = 1.0
    fill_identity(basis)
    for k in range(rank):
        row, length = next_row(rest, k, k, pivots, choose)
        smallest = min(smallest, part_of(length, pivots.sizes[k]))
        if smallest == 0.0:
            return smallest
        u[k] = rest[row, k] + np.copysign(length, rest[row, k])
        for j in range(k + 1, n):
            u[j] = rest[row, j]
        _reflect(rest, basis, u, 1.0 / (length * abs(u[k])), k)
        for j in range(k + 1, n):
            rest[row, j] = 0.0
    for i in range(m):
        for k in range(rank):
            left[i, k] = rest[i, k]
    return smallest


by_householder = product_by(_householder)
"""``(matrix, rank, pivots) -> status, product``"""
