"""Null space and minimum-norm solution of constraint equations by a scaled SVD."""

from dataclasses import dataclass

import numpy as np
import scipy.linalg

from mbdgen.runtime.system.system_data import FloatArray, IntArray

RANK = 1e-9
"""Singular values of the scaled matrix below this fraction of the largest count as zero."""
ROUND_OFF = 1e-13
"""Entries below this fraction of the largest count as zero, as in norm rows of displacements."""
SWEEPS = 3


@dataclass(frozen=True)
class Space:
    """Null space and pseudo-inverse of a matrix ``A``, scaled to be independent of units.

    Attributes
    ----------
    null : array, shape (n, n - rank)
        Orthonormal basis of ``A x = 0``.
    inverse : array, shape (n, m)
        Minimum-norm solution of consistent ``A x = b``, in scaled columns.
    singular_values : array
        Singular values of the scaled matrix, descending, relative to the largest.
    """

    null: FloatArray
    inverse: FloatArray
    singular_values: FloatArray

    @property
    def rank(self) -> int:
        """Rank: number of independent rows."""
        return len(self.null) - self.null.shape[1]


def space(matrix: FloatArray, tolerance: float = RANK) -> Space:
    """Decompose a matrix and determine its rank."""
    even, rows, columns = scaled(matrix)
    n = matrix.shape[1]
    if min(matrix.shape) == 0:
        return Space(np.eye(n), np.zeros((n, matrix.shape[0])), np.zeros(0))
    left, sizes, right = scipy.linalg.svd(even, full_matrices=True)
    largest = sizes[0] or 1.0
    rank = int((sizes > tolerance * largest).sum())
    null = columns[:, None] * right[rank:].T
    inverse = (columns[:, None] * right[:rank].T / sizes[:rank]) @ (left[:, :rank].T * rows)
    return Space(scipy.linalg.qr(null, mode="economic")[0], inverse, sizes / largest)


def scaled(matrix: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Equilibrate a matrix; return it with its row and column factors."""
    matrix = np.where(np.abs(matrix) > ROUND_OFF * np.abs(matrix).max(initial=0.0), matrix, 0.0)
    rows, columns = _scales(matrix)
    return rows[:, None] * matrix * columns, rows, columns


def independent(basis: FloatArray, preference: FloatArray) -> IntArray:
    """Choose well-conditioned rows of a basis, as many as columns, in ascending order.

    Rows of small preference are chosen only if others are insufficient.
    """
    count = basis.shape[1]
    if count == 0:
        return np.zeros(0, np.int64)
    pivots = scipy.linalg.qr((preference[:, None] * basis).T, mode="r", pivoting=True)[1]
    return np.sort(pivots[:count]).astype(np.int64)


def _scales(matrix: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return equilibration factors: the largest entry of each row and column is near one."""
    rows, columns = np.ones(matrix.shape[0]), np.ones(matrix.shape[1])
    size = np.abs(matrix)
    for _ in range(SWEEPS if size.size else 0):
        rows = _inverse_root(rows, (rows[:, None] * size * columns).max(axis=1))
        columns = _inverse_root(columns, (rows[:, None] * size * columns).max(axis=0))
    return rows, columns


def _inverse_root(factors: FloatArray, largest: FloatArray) -> FloatArray:
    improved: FloatArray = factors / np.sqrt(np.where(largest > 0.0, largest, 1.0))
    return improved
