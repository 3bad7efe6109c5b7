"""Gram-Schmidt's process with pivots among the rows, as a factorisation of `dense.basis`."""

import numpy as np

from mbdgen.runtime.compiled import internal
from mbdgen.runtime.data import FloatArray
from mbdgen.runtime.dense.basis import product_by
from mbdgen.runtime.dense.unit import fill_identity
from mbdgen.runtime.work import OK, SINGULAR_TANGENT


@internal
def _take_away(vector: FloatArray, basis: FloatArray, count: int) -> None:
    """Make a vector orthogonal to the first rows of ``basis``."""
    for i in range(count):
        part = 0.0
        for j in range(len(vector)):
            part += basis[i, j] * vector[j]
        for j in range(len(vector)):
            vector[j] -= part * basis[i, j]


@internal
def _append_longest(rest: FloatArray, basis: FloatArray, count: int) -> int:
    """Append the longest row of ``rest``, made of length 1; take it away from all of ``rest``."""
    row, longest = -1, 0.0
    for i in range(rest.shape[0]):
        square = 0.0
        for j in range(rest.shape[1]):
            square += rest[i, j] ** 2
        if square > longest:
            row, longest = i, square
    if row < 0 or not np.isfinite(longest):
        return SINGULAR_TANGENT
    # Once more against all others: what rounding has left of them grows when a short row is scaled.
    _take_away(rest[row], basis, count)
    square = 0.0
    for j in range(rest.shape[1]):
        square += rest[row, j] ** 2
    for j in range(rest.shape[1]):
        basis[count, j] = rest[row, j] / np.sqrt(square)
    for i in range(rest.shape[0]):
        part = 0.0
        for j in range(rest.shape[1]):
            part += rest[i, j] * basis[count, j]
        for j in range(rest.shape[1]):
            rest[i, j] -= part * basis[count, j]
    return OK


@internal
def _gram_schmidt(matrix: FloatArray, rank: int, left: FloatArray, basis: FloatArray) -> int:
    """Orthonormalise the rows, then unit vectors until the basis is complete; ``L = matrix B^T``.

    The next row is always that with most left of it, so that dependent rows are never reached.
    """
    m, n = matrix.shape
    rest, units = matrix.copy(), np.empty((n, n))
    for k in range(rank):
        status = _append_longest(rest, basis, k)
        if status != OK:
            return status
    fill_identity(units)
    for i in range(n):
        _take_away(units[i], basis, rank)
    for k in range(rank, n):
        status = _append_longest(units, basis, k)
        if status != OK:
            return status
    for i in range(m):
        for k in range(rank):
            left[i, k] = 0.0
            for j in range(n):
                left[i, k] += matrix[i, j] * basis[k, j]
    return OK


by_gram_schmidt = product_by(_gram_schmidt)
"""``(matrix, rank) -> status, product``"""
