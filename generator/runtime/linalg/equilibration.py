"""Equilibration of the rows and columns of a matrix, and the error of a singular one."""

import numpy as np
import scipy.sparse as sp

from mbdgen.runtime.system.system_data import FloatArray


class SingularMatrixError(ArithmeticError):
    """The matrix is singular in double precision.

    Attributes
    ----------
    row, column : int
        Position of the smallest pivot in the given matrix, -1 if unknown.
    """

    def __init__(self, message: str, row: int = -1, column: int = -1) -> None:
        super().__init__(message)
        self.row = row
        self.column = column


def equilibrate(matrix: sp.csc_array, sweeps: int = 4) -> tuple[FloatArray, FloatArray]:
    """Find ``r`` and ``c`` such that the largest entry of each row and column of ``r A c`` is 1.

    Ruiz' iteration ``r <- r / sqrt(max_j |r a c|)``, ``c`` likewise, preserves the balance of ``M``
    and ``G``: where a mass is small, plain scaling of the rows makes the entries of ``G`` look like
    better pivots, and these cause fill-in.
    """
    n = matrix.shape[0]
    row, column = np.ones(n), np.ones(n)
    scaled = abs(matrix)
    index = scaled.indices
    by_column = np.repeat(np.arange(n), np.diff(scaled.indptr))
    for _ in range(sweeps):
        weights = scaled.data * row[index] * column[by_column]
        largest_in_row, largest_in_column = np.zeros(n), np.zeros(n)
        np.maximum.at(largest_in_row, index, weights)
        np.maximum.at(largest_in_column, by_column, weights)
        for name, largest in (("row", largest_in_row), ("column", largest_in_column)):
            if not largest.all():
                where = {name: int(np.argmin(largest))}
                raise SingularMatrixError(f"{name} {where[name]} of the matrix is zero", **where)
        row /= np.sqrt(largest_in_row)
        column /= np.sqrt(largest_in_column)
    return row, column
