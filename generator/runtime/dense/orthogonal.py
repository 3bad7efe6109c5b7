"""Complete orthogonal decomposition of a matrix of known rank, by Householder reflections.

``B[order] = [L, 0] Q^T`` takes ``rank`` reflections, each for the row with the largest part that
the ones before leave; ``L^T[order_2] = [L_2, 0] Z^T`` takes as many. The rank is given, and never
found: dependent constraint rows are dependent only where the constraints are fulfilled, and at an
iterate that is off by a millionth a tolerance counts them as independent.
"""

from typing import NamedTuple

import numpy as np
from numba import types

from mbdgen.runtime.compiled import internal, separate
from mbdgen.runtime.data import FloatArray, IntArray
from mbdgen.runtime.work import INT_ARRAY, OK, REAL_ARRAY, REAL_TABLE, SINGULAR_TANGENT


class Orthogonal(NamedTuple):
    """A matrix ``B`` and what becomes of it; the rank is the number of rows of ``inner``.

    Attributes
    ----------
    rows, inner : array, shapes (m, n) and (rank, m)
        First ``B`` and ``L^T``; then triangles, and behind them the vectors of the reflections.
    weights, inner_weights : array
        Of the reflections ``1 - w u u^T``, ``u = (1, vector)``.
    order, inner_order : array of int
        Rows of the matrix before, in the order of the triangle.
    """

    rows: FloatArray
    weights: FloatArray
    order: IntArray
    inner: FloatArray
    inner_weights: FloatArray
    inner_order: IntArray


_FACTOR = (REAL_TABLE, REAL_ARRAY, INT_ARRAY)
ORTHOGONAL = types.NamedTuple((*_FACTOR, *_FACTOR), Orthogonal)


@internal
def new_orthogonal(m: int, n: int, rank: int) -> Orthogonal:
    """Make room for a matrix ``(m, n)`` of that rank, filled with zeros."""
    return Orthogonal(
        np.zeros((m, n)),
        np.empty(rank),
        np.empty(m, np.int64),
        np.empty((rank, m)),
        np.empty(rank),
        np.empty(rank, np.int64),
    )


@internal
def _reflect(vector: FloatArray, k: int, weight: float, x: FloatArray) -> None:
    """``x <- (1 - w u u^T) x`` with ``u = (0, ..., 1, vector[k + 1:])``."""
    total = x[k]
    for i in range(k + 1, len(x)):
        total += vector[i] * x[i]
    total *= weight
    x[k] -= total
    for i in range(k + 1, len(x)):
        x[i] -= total * vector[i]


@separate(types.int64(REAL_TABLE, REAL_ARRAY, INT_ARRAY))
def _triangulate(rows: FloatArray, weights: FloatArray, order: IntArray) -> int:
    """``rows[order] = [L, 0] Q^T`` in place, as many reflections as there are weights."""
    m, n = rows.shape
    for j in range(m):
        order[j] = j
    for k in range(len(weights)):
        pivot, top = k, -1.0
        for j in range(k, m):
            size = 0.0
            for i in range(k, n):
                size += rows[j, i] * rows[j, i]
            if size > top:
                pivot, top = j, size
        if not top > 0.0:
            return SINGULAR_TANGENT
        if pivot != k:
            for i in range(n):
                rows[k, i], rows[pivot, i] = rows[pivot, i], rows[k, i]
            order[k], order[pivot] = order[pivot], order[k]
        first = rows[k, k]
        diagonal = -np.copysign(np.sqrt(top), first)
        weights[k] = (diagonal - first) / diagonal
        for i in range(k + 1, n):
            rows[k, i] /= first - diagonal
        rows[k, k] = diagonal
        for j in range(k + 1, m):
            _reflect(rows[k], k, weights[k], rows[j])
    return OK


@internal
def _turn(rows: FloatArray, weights: FloatArray, x: FloatArray) -> None:
    """``x <- Q x``."""
    for back in range(len(weights)):
        k = len(weights) - 1 - back
        _reflect(rows[k], k, weights[k], x)


@internal
def _turn_back(rows: FloatArray, weights: FloatArray, x: FloatArray) -> None:
    """``x <- Q^T x``."""
    for k in range(len(weights)):
        _reflect(rows[k], k, weights[k], x)


@separate(types.int64(ORTHOGONAL))
def decompose(b: Orthogonal) -> int:
    """Overwrite ``B``, which is in ``b.rows``, by its decomposition."""
    status = _triangulate(b.rows, b.weights, b.order)
    rank, m = b.inner.shape
    for k in range(rank):
        for j in range(m):
            b.inner[k, j] = b.rows[j, k] if j >= k else 0.0
    return status if status != OK else _triangulate(b.inner, b.inner_weights, b.inner_order)


@separate(types.void(ORTHOGONAL, REAL_TABLE))
def null_space(b: Orthogonal, basis: FloatArray) -> None:
    """Write an orthonormal basis of ``B x = 0`` into the rows of ``basis``."""
    rank = len(b.weights)
    for k in range(basis.shape[0]):
        for i in range(basis.shape[1]):
            basis[k, i] = 0.0
        basis[k, rank + k] = 1.0
        _turn(b.rows, b.weights, basis[k])


@separate(types.void(ORTHOGONAL, REAL_ARRAY, REAL_ARRAY))
def least_squares(b: Orthogonal, c: FloatArray, x: FloatArray) -> None:
    """Find the ``x`` of least norm among those of least ``|B x - c|``."""
    rank, m = b.inner.shape
    turned = np.empty(m)
    for j in range(m):
        turned[j] = c[b.order[j]]
    _turn_back(b.inner, b.inner_weights, turned)
    for i in range(len(x)):
        x[i] = 0.0
    for back in range(rank):
        k = rank - 1 - back
        for i in range(k + 1, rank):
            turned[k] -= b.inner[i, k] * turned[i]
        turned[k] /= b.inner[k, k]
        x[b.inner_order[k]] = turned[k]
    _turn(b.rows, b.weights, x)


@separate(types.void(ORTHOGONAL, REAL_ARRAY, REAL_ARRAY))
def least_combination(b: Orthogonal, r: FloatArray, y: FloatArray) -> None:
    """Find the ``y`` of least norm for which ``B^T y`` is nearest to ``r``."""
    rank, m = b.inner.shape
    turned, inner = r.copy(), np.zeros(m)
    _turn_back(b.rows, b.weights, turned)
    for k in range(rank):
        total = turned[b.inner_order[k]]
        for i in range(k):
            total -= b.inner[k, i] * inner[i]
        inner[k] = total / b.inner[k, k]
    _turn(b.inner, b.inner_weights, inner)
    for j in range(m):
        y[b.order[j]] = inner[j]
