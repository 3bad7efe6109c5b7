"""LU factorisation, numeric phase, with forward and back substitution; dense and sparse.

Compiled, without memory allocation.
"""

import numpy as np

from mbdgen.runtime.linalg.factor_storage import (
    DENSE,
    FACTORS,
    OK,
    REALS,
    REPIVOT,
    SINGULAR,
    UNKNOWN,
    Factors,
)
from mbdgen.runtime.program.compiled_functions import internal, separate
from mbdgen.runtime.system.system_data import FloatArray
from mbdgen.subset import types


# The four parts are inlined because passing all of `Factors` on costs 0.2 us a call [M].
@internal
def _factorise_dense(factors: Factors, values: FloatArray) -> int:
    """Factorise ``A[:, columns] = U^T L^T``, with pivots largest relative to their column.

    This is the elimination of ``A^T`` by rows: storage by columns is accessed contiguously, here
    and in the substitutions.
    """
    n, floor = factors.header[0], factors.limits[1]
    columns, scale, inverse = factors.columns, factors.column_scale, factors.inverse
    a_ptr, a_row = factors.a_ptr, factors.a_row
    lu = factors.l_value.reshape(n, n)
    lu[:, :] = 0.0
    for j in range(n):
        columns[j] = j
        largest = 0.0
        for p in range(a_ptr[j], a_ptr[j + 1]):
            lu[j, a_row[p]] = values[p]
            largest = max(largest, abs(values[p]))
        scale[j] = 1.0 / largest
    for k in range(n):
        above = 0.0
        for j in range(k):
            above = max(above, abs(lu[j, k]) * scale[j])
        pivot, largest = k, -1.0
        for j in range(k, n):
            size = abs(lu[j, k]) * scale[j]
            if size > largest:
                pivot, largest = j, size
        # Written such that NaN fails. A pivot far below the terms of its sum is round-off.
        if not largest > floor * above:
            return SINGULAR
        if pivot != k:
            for i in range(n):
                lu[k, i], lu[pivot, i] = lu[pivot, i], lu[k, i]
            scale[k], scale[pivot] = scale[pivot], scale[k]
            columns[k], columns[pivot] = columns[pivot], columns[k]
        inverse[k] = 1.0 / lu[k, k]
        for j in range(k + 1, n):
            factor = lu[j, k] * inverse[k]
            lu[j, k] = factor
            for i in range(k + 1, n):
                lu[j, i] -= factor * lu[k, i]
    return OK


@internal
def _blame(values: FloatArray) -> int:
    """Return ``SINGULAR`` for values that are not finite, else ``REPIVOT``."""
    for value in values:
        if not np.isfinite(value):
            return SINGULAR
    return REPIVOT


@internal
def _factorise_sparse(factors: Factors, values: FloatArray) -> int:
    """Factorise by columns (left-looking): solve ``L U[:, k] = A[:, k]`` for column ``k``."""
    l_ptr, l_row, l_value = factors.l_ptr, factors.l_row, factors.l_value
    u_ptr, u_row, u_value = factors.u_ptr, factors.u_row, factors.u_value
    a_ptr, a_row, a_source = factors.a_ptr, factors.a_row, factors.a_source
    scale, work, inverse = factors.row_scale, factors.work, factors.inverse
    growth_limit, pivot_floor = factors.limits[0], factors.limits[1]
    for i, p in enumerate(factors.absent):
        if not abs(values[p]) <= factors.noise[i]:
            return _blame(values)
    for k in range(factors.header[0]):
        for p in range(a_ptr[k], a_ptr[k + 1]):
            work[a_row[p]] = values[a_source[p]]
        growth = 0.0
        for p in range(u_ptr[k], u_ptr[k + 1]):
            j = u_row[p]
            u = work[j]
            work[j] = 0.0
            u_value[p] = u
            growth += abs(u) * scale[j]
            for s in range(l_ptr[j], l_ptr[j + 1]):
                work[l_row[s]] -= l_value[s] * u
        pivot = work[k]
        work[k] = 0.0
        inverse[k] = 1.0 / pivot
        size = abs(pivot) * scale[k]
        growth += size
        for s in range(l_ptr[k], l_ptr[k + 1]):
            i = l_row[s]
            value = work[i]
            work[i] = 0.0
            l_value[s] = value * inverse[k]
            growth += abs(value) * scale[i]
        # A sum instead of a maximum, because NaN propagates through it and fails both tests.
        fine = (growth * factors.column_scale[k] < growth_limit) and (
            size * factors.column_scale[k] > pivot_floor
        )
        if not fine:
            return _blame(values)
    return OK


@separate(types.int64(FACTORS, REALS))
def factorise(factors: Factors, values: FloatArray) -> int:
    """Factorise the matrix with these values; returns ``OK``, ``REPIVOT`` or ``SINGULAR``.

    Unless the status is ``OK`` the factors are invalid until the next success.
    """
    factors.held[0] = 0.0
    if factors.header[1] == DENSE:
        return _factorise_dense(factors, values)
    if factors.header[1] == UNKNOWN:
        return _blame(values)
    return _factorise_sparse(factors, values)


@internal
def _solve_dense(factors: Factors, rhs: FloatArray, x: FloatArray) -> None:
    """Solve ``U^T y = rhs`` and ``L^T x[columns] = y`` by substitution."""
    n, work, inverse = factors.header[0], factors.work, factors.inverse
    lu, columns = factors.l_value, factors.columns
    for k in range(n):
        work[k] = rhs[k]
    for k in range(n):
        y = work[k] * inverse[k]
        work[k] = y
        for i in range(k + 1, n):
            work[i] -= lu[k * n + i] * y
    for k in range(n - 1, -1, -1):
        y = work[k]
        x[columns[k]] = y
        for i in range(k):
            work[i] -= lu[k * n + i] * y


@internal
def _solve_sparse(factors: Factors, rhs: FloatArray, x: FloatArray) -> None:
    """Solve ``L y = rhs[rows]`` and ``U x[columns] = y`` by substitution."""
    work, inverse, rows, columns = factors.work, factors.inverse, factors.rows, factors.columns
    l_ptr, l_row, l_value = factors.l_ptr, factors.l_row, factors.l_value
    u_ptr, u_row, u_value = factors.u_ptr, factors.u_row, factors.u_value
    n = factors.header[0]
    for k in range(n):
        work[k] = rhs[rows[k]]
    for k in range(n):
        y = work[k]
        for s in range(l_ptr[k], l_ptr[k + 1]):
            work[l_row[s]] -= l_value[s] * y
    for k in range(n - 1, -1, -1):
        y = work[k] * inverse[k]
        work[k] = 0.0
        x[columns[k]] = y
        for s in range(u_ptr[k], u_ptr[k + 1]):
            work[u_row[s]] -= u_value[s] * y


@separate(types.void(FACTORS, REALS, REALS))
def solve(factors: Factors, rhs: FloatArray, x: FloatArray) -> None:
    """Solve ``A x = rhs`` with the last factors; ``x`` may be ``rhs``."""
    if factors.header[1] == DENSE:
        _solve_dense(factors, rhs, x)
    else:
        _solve_sparse(factors, rhs, x)
