"""Dense LU factorisation with scaled row pivoting, in place."""

import numpy as np

from mbdgen.runtime.program.compiled_functions import internal, separate
from mbdgen.runtime.system.run_workspace import (
    INT_ARRAY,
    NOT_FINITE,
    OK,
    REAL_ARRAY,
    REAL_TABLE,
    SINGULAR_TANGENT,
)
from mbdgen.runtime.system.system_data import FloatArray, IntArray
from mbdgen.subset import types

FLOOR = 1e-16
"""A pivot below this part of its row is round-off of a zero."""


@separate(types.int64(REAL_TABLE, INT_ARRAY))
def lu(matrix: FloatArray, order: IntArray) -> int:
    """Overwrite ``matrix`` by ``L`` and ``U`` of ``matrix[order] = L U``.

    Pivots are chosen relative to the largest entry of their row, so that units of rows do not
    matter. Returns a status: singular or not finite.
    """
    n = matrix.shape[0]
    scale = np.empty(n)
    for i in range(n):
        order[i] = i
        largest = 0.0
        for j in range(n):
            largest = max(largest, abs(matrix[i, j]))
        if not np.isfinite(largest):
            return NOT_FINITE
        scale[i] = 1.0 / largest if largest > 0.0 else 0.0
    for k in range(n):
        pivot, top = k, -1.0
        for i in range(k, n):
            size = abs(matrix[i, k]) * scale[i]
            if size > top:
                pivot, top = i, size
        if not top > FLOOR:
            return SINGULAR_TANGENT
        if pivot != k:
            for j in range(n):
                matrix[k, j], matrix[pivot, j] = matrix[pivot, j], matrix[k, j]
            scale[k], scale[pivot] = scale[pivot], scale[k]
            order[k], order[pivot] = order[pivot], order[k]
        inverse = 1.0 / matrix[k, k]
        for i in range(k + 1, n):
            factor = matrix[i, k] * inverse
            matrix[i, k] = factor
            if factor != 0.0:
                for j in range(k + 1, n):
                    matrix[i, j] -= factor * matrix[k, j]
    return OK


@separate(types.void(REAL_TABLE, INT_ARRAY, REAL_ARRAY, REAL_ARRAY))
def lu_solve(factors: FloatArray, order: IntArray, rhs: FloatArray, x: FloatArray) -> None:
    """Solve with the factors of `lu` by substitution; ``x`` must not be ``rhs``."""
    n = factors.shape[0]
    for i in range(n):
        total = rhs[order[i]]
        for j in range(i):
            total -= factors[i, j] * x[j]
        x[i] = total
    for k in range(n):
        i = n - 1 - k
        total = x[i]
        for j in range(i + 1, n):
            total -= factors[i, j] * x[j]
        x[i] = total / factors[i, i]


@internal
def invert(matrix: FloatArray, inverse: FloatArray) -> None:
    """``inverse <- matrix^-1``, of a small regular matrix."""
    n = matrix.shape[0]
    factors, order, unit, column = matrix.copy(), np.empty(n, np.int64), np.zeros(n), np.empty(n)
    lu(factors, order)
    for j in range(n):
        unit[j] = 1.0
        lu_solve(factors, order, unit, column)
        unit[j] = 0.0
        for i in range(n):
            inverse[i, j] = column[i]
