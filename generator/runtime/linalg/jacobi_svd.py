"""Singular value decomposition by one-sided Jacobi rotations (Hestenes), in the solver language."""

from math import sqrt

import numpy as np

from mbdgen.runtime.program.compiled_functions import separate
from mbdgen.runtime.system.run_workspace import REAL_ARRAY, REAL_TABLE
from mbdgen.runtime.system.system_data import FloatArray
from mbdgen.subset import types

_SWEEPS = 40
_ORTHOGONAL = 1e-15
"""Cosine of two rows that count as orthogonal."""
_VOID = 1e-300
"""Squared length of a row that counts as zero."""


@separate(types.void(REAL_TABLE, REAL_TABLE))
def orthogonalise_rows(rows: FloatArray, turn: FloatArray) -> None:
    """Rotate rows until they are orthogonal, longest first: ``turn^T rows_before = rows``.

    ``turn`` is square, and orthogonal at the end.
    """
    m, n = rows.shape
    for i in range(m):
        for j in range(m):
            turn[i, j] = 1.0 if i == j else 0.0
    for _ in range(_SWEEPS):
        rotated = False
        for i in range(m - 1):
            for j in range(i + 1, m):
                a, b, c = 0.0, 0.0, 0.0
                for k in range(n):
                    x, y = rows[i, k], rows[j, k]
                    a, b, c = a + x * x, b + y * y, c + x * y
                if a < b:  # the longer row first, so that lengths are sorted at the end
                    for k in range(n):
                        rows[i, k], rows[j, k] = rows[j, k], rows[i, k]
                    for k in range(m):
                        turn[k, i], turn[k, j] = turn[k, j], turn[k, i]
                    a, b = b, a
                if b <= _VOID or abs(c) <= _ORTHOGONAL * sqrt(a) * sqrt(b):
                    continue
                rotated = True
                slope = 0.5 * (b - a) / c
                t = 1.0 / (abs(slope) + sqrt(1.0 + slope * slope))
                if slope < 0.0:
                    t = -t
                cosine = 1.0 / sqrt(1.0 + t * t)
                sine = cosine * t
                for k in range(n):
                    x, y = rows[i, k], rows[j, k]
                    rows[i, k], rows[j, k] = cosine * x - sine * y, sine * x + cosine * y
                for k in range(m):
                    x, y = turn[k, i], turn[k, j]
                    turn[k, i], turn[k, j] = cosine * x - sine * y, sine * x + cosine * y
        if not rotated:
            break


@separate(types.void(REAL_TABLE, types.int64))
def complete_basis(basis: FloatArray, rank: int) -> None:
    """Append rows to the first ``rank`` orthonormal ones until all of ``basis`` is orthogonal.

    Each is the unit vector farthest from the rows so far, made orthogonal to them twice.
    """
    n = basis.shape[0]
    rest = np.ones(n)
    for r in range(rank):
        for k in range(n):
            rest[k] -= basis[r, k] * basis[r, k]
    for row in range(rank, n):
        best = 0
        for k in range(n):
            if rest[k] > rest[best]:
                best = k
        for k in range(n):
            basis[row, k] = 1.0 if k == best else 0.0
        for _ in range(2):
            for r in range(row):
                part = 0.0
                for k in range(n):
                    part += basis[r, k] * basis[row, k]
                for k in range(n):
                    basis[row, k] -= part * basis[r, k]
        square = 0.0
        for k in range(n):
            square += basis[row, k] * basis[row, k]
        for k in range(n):
            basis[row, k] /= sqrt(square)
            rest[k] -= basis[row, k] * basis[row, k]


@separate(types.float64(REAL_TABLE, types.int64, REAL_TABLE, REAL_TABLE))
def decompose(matrix: FloatArray, rank: int, left: FloatArray, basis: FloatArray) -> float:
    """Factorise ``matrix = U S V^T``: ``left = U S`` of the largest ones, ``basis = V^T``.

    Returns the smallest of the ``rank`` largest singular values.
    """
    m, n = matrix.shape
    rows, turn = matrix.copy(), np.empty((m, m))
    orthogonalise_rows(rows, turn)
    smallest = 0.0
    for r in range(rank):
        square = 0.0
        for k in range(n):
            square += rows[r, k] * rows[r, k]
        smallest = sqrt(square)
        if not smallest > 0.0:
            return 0.0
        for k in range(n):
            basis[r, k] = rows[r, k] / smallest
        for i in range(m):
            left[i, r] = turn[i, r] * smallest
    complete_basis(basis, rank)
    return smallest


@separate(REAL_ARRAY(REAL_TABLE))
def singular_values(matrix: FloatArray) -> FloatArray:
    """Return the singular values of a matrix, one for each row, largest first."""
    m, n = matrix.shape
    rows, turn, found = matrix.copy(), np.empty((m, m)), np.empty(m)
    orthogonalise_rows(rows, turn)
    for i in range(m):
        square = 0.0
        for k in range(n):
            square += rows[i, k] * rows[i, k]
        found[i] = sqrt(square)
    return found
