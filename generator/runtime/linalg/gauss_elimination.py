"""Gaussian elimination with pivot reuse: coordinate partitioning into independent unknowns.

``matrix[rows][:, columns] = L [U, U_free]``: the columns after the pivots are the independent
unknowns. They stay the same until new pivots are chosen by complete pivoting.
"""

from typing import NamedTuple

import numpy as np

from mbdgen.runtime.linalg.pivot_reuse import CLEARLY, PivotChoice, part_of
from mbdgen.runtime.program.compiled_functions import internal
from mbdgen.runtime.system.run_workspace import OK, SINGULAR_TANGENT
from mbdgen.runtime.system.system_data import FloatArray, IntArray


class Triangle(NamedTuple):
    """``L`` and ``U`` of the permuted matrix, in one table, and the rank."""

    table: FloatArray
    rank: int
    rows: IntArray
    columns: IntArray


@internal
def _swap(items: IntArray, i: int, j: int) -> None:
    items[i], items[j] = items[j], items[i]


@internal
def _choose_pivot(table: FloatArray, k: int, pivots: PivotChoice) -> None:
    """Complete pivoting: exchange rows and columns so that the largest entry is the pivot ``k``."""
    row, column, top = k, k, -1.0
    for i in range(k, table.shape[0]):
        for j in range(k, table.shape[1]):
            if abs(table[i, j]) > CLEARLY * top:
                row, column, top = i, j, abs(table[i, j])
    for j in range(table.shape[1]):
        table[k, j], table[row, j] = table[row, j], table[k, j]
    for i in range(table.shape[0]):
        table[i, k], table[i, column] = table[i, column], table[i, k]
    _swap(pivots.rows, k, row)
    _swap(pivots.columns, k, column)
    pivots.sizes[k] = top


@internal
def _reduce(
    matrix: FloatArray, table: FloatArray, rank: int, pivots: PivotChoice, choose: bool
) -> float:
    """Eliminate into ``table``; return the smallest ratio of a pivot to its size when chosen."""
    m, n = matrix.shape
    if choose:
        for i in range(m):
            pivots.rows[i] = i
        for j in range(n):
            pivots.columns[j] = j
    for i in range(m):
        for j in range(n):
            table[i, j] = matrix[pivots.rows[i], pivots.columns[j]]
    smallest = 1.0
    for k in range(rank):
        if choose:
            _choose_pivot(table, k, pivots)
        smallest = min(smallest, part_of(abs(table[k, k]), pivots.sizes[k]))
        if smallest == 0.0:
            return smallest
        for i in range(k + 1, m):
            factor = table[i, k] / table[k, k]
            table[i, k] = factor
            if factor != 0.0:
                for j in range(k + 1, n):
                    table[i, j] -= factor * table[k, j]
    return smallest


@internal
def triangle(
    matrix: FloatArray, rank: int, pivots: PivotChoice, least: float
) -> tuple[int, Triangle]:
    """Eliminate with the kept pivots, or with new ones if a ratio is below ``least``."""
    table = np.empty(matrix.shape)
    first = pivots.sizes[0] == 0.0
    part = _reduce(matrix, table, rank, pivots, first)
    if part < least and not first:
        part = _reduce(matrix, table, rank, pivots, True)
    status = OK if part > 0.0 else SINGULAR_TANGENT
    return status, Triangle(table, rank, pivots.rows, pivots.columns)


@internal
def dependent_unknowns(t: Triangle, c: FloatArray) -> FloatArray:
    """Solve ``H x = c`` with zero independent unknowns; rows after the rank are ignored."""
    x, z = np.zeros(t.table.shape[1]), np.empty(t.rank)
    for k in range(t.rank):
        z[k] = c[t.rows[k]]
        for j in range(k):
            z[k] -= t.table[k, j] * z[j]
    for k in range(t.rank - 1, -1, -1):
        for j in range(k + 1, t.rank):
            z[k] -= t.table[k, j] * z[j]
        z[k] /= t.table[k, k]
        x[t.columns[k]] = z[k]
    return x


@internal
def free_directions(t: Triangle) -> FloatArray:
    """Return the null space ``N``: one row per independent unknown, which is 1, the others 0.

    ``U_dependent x_dependent = -U_free``; this is the matrix ``R`` of ``v = R v_independent``
    (coordinate partitioning).
    """
    n = t.table.shape[1]
    directions = np.zeros((n - t.rank, n))
    for free in range(n - t.rank):
        x = directions[free]
        x[t.columns[t.rank + free]] = 1.0
        for k in range(t.rank - 1, -1, -1):
            total = -t.table[k, t.rank + free]
            for j in range(k + 1, t.rank):
                total -= t.table[k, j] * x[t.columns[j]]
            x[t.columns[k]] = total / t.table[k, k]
    return directions


@internal
def lower_and_forces(t: Triangle, forces: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return ``L`` and ``w`` of ``L^T lam = w``, in the order of the kept rows.

    ``G^T lam = forces`` is ``[U, U_free]^T (L^T lam) = forces``; its first rows are sufficient.
    """
    m = t.table.shape[0]
    lower, w = np.zeros((m, t.rank)), np.empty(t.rank)
    for i in range(m):
        for k in range(min(i, t.rank)):
            lower[i, k] = t.table[i, k]
        if i < t.rank:
            lower[i, i] = 1.0
    for k in range(t.rank):
        w[k] = forces[t.columns[k]]
        for j in range(k):
            w[k] -= t.table[j, k] * w[j]
        w[k] /= t.table[k, k]
    return lower, w
