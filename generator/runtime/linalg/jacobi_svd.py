"""Singular value decomposition by one-sided Jacobi rotations (Hestenes), in the solver language."""

from math import sqrt

import numpy as np

from mbdgen.runtime.program.compiled_functions import internal, separate
from mbdgen.runtime.system.run_workspace import REAL_ARRAY, REAL_TABLE
from mbdgen.runtime.system.system_data import FloatArray
from mbdgen.subset import types

_SWEEPS = 40
_ORTHOGONAL = 1e-15
"""Cosine of two rows that count as orthogonal."""
_VOID = 1e-300
"""Squared length of a row that counts as zero."""


@internal
def dot(x: FloatArray, y: FloatArray) -> float:
    """Scalar product, in four sums that a processor adds at a time."""
    n, s_0, s_1, s_2, s_3 = len(x), 0.0, 0.0, 0.0, 0.0
    for block in range(n // 4):
        k = 4 * block
        s_0 += x[k] * y[k]
        s_1 += x[k + 1] * y[k + 1]
        s_2 += x[k + 2] * y[k + 2]
        s_3 += x[k + 3] * y[k + 3]
    for k in range(4 * (n // 4), n):
        s_0 += x[k] * y[k]
    return (s_0 + s_1) + (s_2 + s_3)


@separate(types.void(REAL_TABLE))
def orthogonalise_rows(rows: FloatArray) -> None:
    """Rotate pairs of rows until all are orthogonal, longest first: ``U^T A = S V^T``."""
    m, n = rows.shape
    squares = np.empty(m)
    for _ in range(_SWEEPS):
        rotated = False
        for i in range(m):
            squares[i] = dot(rows[i], rows[i])
        for i in range(m - 1):
            for j in range(i + 1, m):
                if squares[i] < squares[j]:  # so that lengths are sorted at the end
                    squares[i], squares[j] = squares[j], squares[i]
                    for k in range(n):
                        rows[i, k], rows[j, k] = rows[j, k], rows[i, k]
                a, b, c = squares[i], squares[j], dot(rows[i], rows[j])
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
                squares[i], squares[j] = a - t * c, max(b + t * c, 0.0)
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
                part = dot(basis[r], basis[row])
                for k in range(n):
                    basis[row, k] -= part * basis[r, k]
        size = sqrt(dot(basis[row], basis[row]))
        for k in range(n):
            basis[row, k] /= size
            rest[k] -= basis[row, k] * basis[row, k]


@separate(types.float64(REAL_TABLE, types.int64, REAL_TABLE, REAL_TABLE))
def decompose(matrix: FloatArray, rank: int, left: FloatArray, basis: FloatArray) -> float:
    """Factorise ``matrix = U S V^T``: ``left = U S`` of the largest ones, ``basis = V^T``.

    ``U S = A V``.

    Returns the smallest of the ``rank`` largest singular values.
    """
    m, n = matrix.shape
    rows = matrix.copy()
    orthogonalise_rows(rows)
    smallest = 0.0
    for r in range(rank):
        smallest = sqrt(dot(rows[r], rows[r]))
        if not smallest > 0.0:
            return 0.0
        for k in range(n):
            basis[r, k] = rows[r, k] / smallest
        for i in range(m):
            left[i, r] = dot(matrix[i], basis[r])
    complete_basis(basis, rank)
    return smallest


@separate(REAL_ARRAY(REAL_TABLE))
def singular_values(matrix: FloatArray) -> FloatArray:
    """Return the singular values of a matrix, one for each row, largest first."""
    m = matrix.shape[0]
    rows, found = matrix.copy(), np.empty(m)
    orthogonalise_rows(rows)
    for i in range(m):
        found[i] = sqrt(dot(rows[i], rows[i]))
    return found
