"""Orthonormal bases of what rows span and of what they leave free, and eliminations by them.

A matrix of known rank is written ``L B``, where ``[B; N]`` is orthogonal; the ways to find it
differ. Each is a function ``factorise(matrix, rank, pivots, choose, left, basis)`` that fills
``left`` with ``L`` and the rows of ``basis`` with ``B``, then ``N``. It chooses pivots or takes
those it is given, and returns how small the smallest has become, or zero if it cannot go on.

What works with any of them is made by functions of Python: Numba can cache a call of a function
that it knows, but none of a function that is an argument.
"""

from collections.abc import Callable
from typing import Any, NamedTuple, cast

import numpy as np

from mbdgen.runtime.compiled import internal
from mbdgen.runtime.data import FloatArray
from mbdgen.runtime.dense.blocks import move_along, ranks, take_apart, write_solution
from mbdgen.runtime.dense.kept import ROWS_G, ROWS_H, SMALL, Pivots, kept_pivots
from mbdgen.runtime.dense.room import Dense
from mbdgen.runtime.work import FACTORISATIONS, OK, SINGULAR_TANGENT, Work


class Product(NamedTuple):
    """``matrix = Q R B``: ``Q`` has orthonormal columns, ``R`` is upper triangular.

    Attributes
    ----------
    Q, R : array
        Of ``L = Q R``.
    basis : array
        ``[B; N]``, orthogonal.
    """

    Q: FloatArray
    R: FloatArray
    basis: FloatArray


@internal
def orthonormal_columns(left: FloatArray) -> FloatArray:
    """Overwrite ``L`` of full column rank by ``Q`` of ``L = Q R`` (Gram-Schmidt, twice)."""
    m, rank = left.shape
    R = np.zeros((rank, rank))
    for k in range(rank):
        for _ in range(2):
            for j in range(k):
                part = 0.0
                for i in range(m):
                    part += left[i, j] * left[i, k]
                R[j, k] += part
                for i in range(m):
                    left[i, k] -= part * left[i, j]
        square = 0.0
        for i in range(m):
            square += left[i, k] ** 2
        R[k, k] = np.sqrt(square)
        for i in range(m):
            left[i, k] /= R[k, k]
    return R


def product_by(factorise: Callable[..., float]) -> Callable[..., Any]:
    """Return a compiled function ``(matrix, rank, pivots) -> status, product``."""

    @internal
    def product(matrix: FloatArray, rank: int, pivots: Pivots) -> tuple[int, Product]:
        m, n = matrix.shape
        Q, basis = np.empty((m, rank)), np.empty((n, n))
        first = rank > 0 and pivots.sizes[0] == 0.0
        part = factorise(matrix, rank, pivots, first, Q, basis)
        if part < SMALL and not first:
            part = factorise(matrix, rank, pivots, True, Q, basis)
        status = OK if part > 0.0 else SINGULAR_TANGENT
        return status, Product(Q, orthonormal_columns(Q), basis)

    return cast("Callable[..., Any]", product)


@internal
def smallest_solution(product: Product, c: FloatArray) -> FloatArray:
    """``B^T R^-1 Q^T c``: of all ``x`` that fulfil ``H x = c`` best, the shortest."""
    rank = product.R.shape[0]
    z = c @ product.Q
    for k in range(rank - 1, -1, -1):
        for j in range(k + 1, rank):
            z[k] -= product.R[k, j] * z[j]
        z[k] /= product.R[k, k]
    return z @ product.basis[:rank]


@internal
def least_multipliers(Q: FloatArray, R: FloatArray, w: FloatArray) -> FloatArray:
    """``Q R^-T w``: of all ``lam`` with ``L^T lam = w``, where ``L = Q R``, the shortest."""
    z = w.copy()
    for k in range(len(z)):
        for j in range(k):
            z[k] -= R[j, k] * z[j]
        z[k] /= R[k, k]
    return Q @ z


@internal
def multipliers_of(product: Product, forces: FloatArray) -> FloatArray:
    """Smallest ``lam`` with ``G^T lam = forces``, where ``G = Q R B``."""
    rank = product.R.shape[0]
    return least_multipliers(product.Q, product.R, product.basis[:rank] @ forces)


def eliminator(product: Callable[..., Any]) -> Callable[..., Any]:
    """Return a compiled function ``(work, dense) -> status`` that solves ``K x = rhs``.

    ``x = H^+ c + N y``,  ``Z^T A N y = Z^T (f - A H^+ c)``,  ``lam = (G^T)^+ (A x - f)``
    """

    @internal
    def eliminate(work: Work, dense: Dense) -> int:
        blocks = take_apart(work, dense)
        rank, rank_g = ranks(blocks, dense)
        work.counters[FACTORISATIONS] += 1
        status, of_h = product(blocks.H, rank, kept_pivots(dense, ROWS_H))
        if status != OK:
            return int(status)
        status, of_g = product(blocks.G, rank_g, kept_pivots(dense, ROWS_G))
        if status != OK:
            return int(status)
        x = smallest_solution(of_h, blocks.c)
        status = move_along(blocks, dense, of_h.basis[rank:], of_g.basis[rank_g:], x)
        if status == OK:
            write_solution(dense, x, multipliers_of(of_g, blocks.A @ x - blocks.f))
        return int(status)

    return cast("Callable[..., Any]", eliminate)
