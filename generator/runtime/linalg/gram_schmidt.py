"""Gram-Schmidt orthogonalisation with row pivoting, for `linalg.orthonormal_bases`."""

import numpy as np

from mbdgen.runtime.linalg.orthonormal_bases import fill_identity, product_by
from mbdgen.runtime.linalg.pivot_reuse import PivotChoice, next_row, no_pivots, part_of
from mbdgen.runtime.program.compiled_functions import internal
from mbdgen.runtime.system.system_data import FloatArray


@internal
def _take_away(vector: FloatArray, basis: FloatArray, count: int) -> None:
    """Orthogonalise a vector to the first rows of ``basis``."""
    for i in range(count):
        part = 0.0
        for j in range(len(vector)):
            part += basis[i, j] * vector[j]
        for j in range(len(vector)):
            vector[j] -= part * basis[i, j]


@internal
def _append(rest: FloatArray, row: int, basis: FloatArray, count: int) -> None:
    """Append a normalised row of ``rest`` to the basis, and orthogonalise all of ``rest`` to it.

    The row is reorthogonalised first: normalising a short row amplifies round-off.
    """
    n = rest.shape[1]
    _take_away(rest[row], basis, count)
    square = 0.0
    for j in range(n):
        square += rest[row, j] ** 2
    length = np.sqrt(square)
    for j in range(n):
        basis[count, j] = rest[row, j] / length
    for i in range(rest.shape[0]):
        part = 0.0
        for j in range(n):
            part += rest[i, j] * basis[count, j]
        for j in range(n):
            rest[i, j] -= part * basis[count, j]


@internal
def _complete(basis: FloatArray, rank: int) -> None:
    """Complete the basis by unit vectors, each time the one with the largest orthogonal part."""
    n = basis.shape[0]
    units, pivots = np.empty((n, n)), no_pivots(n, n)
    fill_identity(units)
    for i in range(n):
        _take_away(units[i], basis, rank)
    for k in range(rank, n):
        row, _ = next_row(units, k, 0, pivots, True)
        _append(units, row, basis, k)


@internal
def _gram_schmidt(
    matrix: FloatArray,
    rank: int,
    pivots: PivotChoice,
    choose: bool,
    left: FloatArray,
    basis: FloatArray,
) -> float:
    """Orthonormalise the rows, longest first, then unit vectors; ``L = matrix B^T``."""
    m, n = matrix.shape
    rest = matrix.copy()
    smallest = 1.0
    for k in range(rank):
        row, length = next_row(rest, k, 0, pivots, choose)
        smallest = min(smallest, part_of(length, pivots.sizes[k]))
        if smallest == 0.0:
            return smallest
        _append(rest, row, basis, k)
    _complete(basis, rank)
    for i in range(m):
        for k in range(rank):
            left[i, k] = 0.0
            for j in range(n):
                left[i, k] += matrix[i, j] * basis[k, j]
    return smallest


by_gram_schmidt = product_by(_gram_schmidt)
"""``(matrix, rank, pivots) -> status, product``"""
