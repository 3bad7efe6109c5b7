"""Orthonormal bases of the row space and null space of a constraint Jacobian, by any factorisation.

A matrix of known rank is factorised as ``L B``, where ``[B; N]`` is orthogonal and ``N`` spans the
null space; by Householder QR, Gram-Schmidt or SVD. Each is a function
``factorise(matrix, rank, pivots, choose, left, basis)`` that fills ``left`` with ``L`` and the rows
of ``basis`` with ``B``, then ``N``. It chooses pivots or uses given ones, and returns the smallest
ratio of a pivot to its size when chosen, or zero if it fails.

Functions for any factorisation are made by Python functions: each is specialised and compiled with
its factorisation.
"""

from collections.abc import Callable
from typing import Any, NamedTuple, cast

import numpy as np

from mbdgen.runtime.linalg.pivot_reuse import ROWS_G, ROWS_H, SMALL, PivotChoice, kept_pivots
from mbdgen.runtime.program.compiled_functions import internal
from mbdgen.runtime.solvers.dense_workspace import DOF, DenseWorkspace
from mbdgen.runtime.solvers.equation_blocks import (
    Blocks,
    constraint_rows,
    move_along,
    ranks,
    take_apart,
    write_solution,
)
from mbdgen.runtime.system.run_workspace import (
    FACTORISATIONS,
    OK,
    REAL_TABLE,
    SINGULAR_TANGENT,
    RunWorkspace,
)
from mbdgen.runtime.system.system_data import FloatArray
from mbdgen.subset import types


class OrthonormalProduct(NamedTuple):
    """``matrix = Q R B``: ``Q`` has orthonormal columns, ``R`` is upper triangular.

    Attributes
    ----------
    Q, R : array
        Factors of ``L = Q R``.
    basis : array
        ``[B; N]``, orthogonal.
    """

    Q: FloatArray
    R: FloatArray
    basis: FloatArray


PRODUCT = types.NamedUniTuple(REAL_TABLE, 3, OrthonormalProduct)


@internal
def orthonormal_columns(left: FloatArray) -> FloatArray:
    """Overwrite ``L`` of full column rank by ``Q`` of ``L = Q R`` (Gram-Schmidt, repeated)."""
    columns = left.T.copy()  # contiguous in memory
    rank, m = columns.shape
    R = np.zeros((rank, rank))
    for k in range(rank):
        for _ in range(2):
            for j in range(k):
                part = 0.0
                for i in range(m):
                    part += columns[j, i] * columns[k, i]
                R[j, k] += part
                for i in range(m):
                    columns[k, i] -= part * columns[j, i]
        square = 0.0
        for i in range(m):
            square += columns[k, i] ** 2
        R[k, k] = np.sqrt(square)
        for i in range(m):
            columns[k, i] /= R[k, k]
    left[:, :] = columns.T
    return R


def product_by(factorise: Callable[..., float]) -> Callable[..., Any]:
    """Return a compiled function ``(matrix, rank, pivots) -> status, product``.

    New pivots are chosen if a kept one has become small.
    """

    @internal
    def product(
        matrix: FloatArray, rank: int, pivots: PivotChoice
    ) -> tuple[int, OrthonormalProduct]:
        m, n = matrix.shape
        Q, basis = np.empty((m, rank)), np.empty((n, n))
        first = rank > 0 and pivots.sizes[0] == 0.0
        part = factorise(matrix, rank, pivots, first, Q, basis)
        if part < SMALL and not first:
            part = factorise(matrix, rank, pivots, True, Q, basis)
        status = OK if part > 0.0 else SINGULAR_TANGENT
        return status, OrthonormalProduct(Q, orthonormal_columns(Q), basis)

    return cast("Callable[..., Any]", product)


@internal
def _substitute_back(R: FloatArray, z: FloatArray) -> None:
    """Back substitution ``z <- R^-1 z``, for a vector or for all columns of a matrix."""
    for k in range(R.shape[0] - 1, -1, -1):
        for j in range(k + 1, R.shape[0]):
            z[k] -= R[k, j] * z[j]
        z[k] /= R[k, k]


@internal
def smallest_solution(product: OrthonormalProduct, c: FloatArray) -> FloatArray:
    """Return ``B^T R^-1 Q^T c``, the least-squares solution of ``H x = c`` of least norm."""
    z = c @ product.Q
    _substitute_back(product.R, z)
    return z @ product.basis[: len(z)]


@internal
def pseudo_inverse(product: OrthonormalProduct) -> FloatArray:
    """Return the pseudo-inverse ``H^+ = B^T R^-1 Q^T``, for repeated use."""
    shares = product.Q.T.copy()
    _substitute_back(product.R, shares)
    return product.basis[: len(shares)].T @ shares


@internal
def least_multipliers(Q: FloatArray, R: FloatArray, w: FloatArray) -> FloatArray:
    """Return ``Q R^-T w``, the solution of ``L^T lam = w`` of least norm, where ``L = Q R``."""
    z = w.copy()
    for k in range(len(z)):
        for j in range(k):
            z[k] -= R[j, k] * z[j]
        z[k] /= R[k, k]
    return Q @ z


@internal
def multipliers_of(product: OrthonormalProduct, forces: FloatArray) -> FloatArray:
    """Return the Lagrange multipliers of least norm with ``G^T lam = forces``, ``G = Q R B``."""
    rank = product.R.shape[0]
    return least_multipliers(product.Q, product.R, product.basis[:rank] @ forces)


def products_by(product: Callable[..., Any]) -> Callable[..., Any]:
    """Return a compiled function ``(work, dense) -> status, blocks, of_h, of_g``: both products."""

    @internal
    def products(
        work: RunWorkspace, dense: DenseWorkspace
    ) -> tuple[int, Blocks, OrthonormalProduct, OrthonormalProduct]:
        blocks = take_apart(work, dense)
        rank, rank_g = ranks(blocks, dense)
        work.counters[FACTORISATIONS] += 1
        status, of_h = product(blocks.H, rank, kept_pivots(dense, ROWS_H))
        status_g, of_g = product(blocks.G, rank_g, kept_pivots(dense, ROWS_G))
        return status if status != OK else status_g, blocks, of_h, of_g

    return cast("Callable[..., Any]", products)


def constraints_by(product: Callable[..., Any]) -> Callable[..., Any]:
    """Return a compiled function ``(work, dense) -> status, of_h, c`` for ``H x = c`` alone."""

    @internal
    def constraints(
        work: RunWorkspace, dense: DenseWorkspace
    ) -> tuple[int, OrthonormalProduct, FloatArray]:
        H, c = constraint_rows(work, dense)
        status, of_h = product(H, H.shape[1] - dense.sizes[DOF], kept_pivots(dense, ROWS_H))
        return status, of_h, c

    return cast("Callable[..., Any]", constraints)


def eliminator(
    product: Callable[..., Any], move: Callable[..., int] = move_along
) -> Callable[..., Any]:
    """Return a compiled null-space method ``(work, dense) -> status`` that solves ``K x = rhs``.

    ``x = H^+ c + N y``,  ``Z^T A N y = Z^T (f - A H^+ c)``,  ``lam = (G^T)^+ (A x - f)``

    ``move`` solves for ``y``, called like `mbdgen.runtime.solvers.equation_blocks.move_along`.
    """
    products = products_by(product)

    @internal
    def eliminate(work: RunWorkspace, dense: DenseWorkspace) -> int:
        status, blocks, of_h, of_g = products(work, dense)
        if status != OK:
            return int(status)
        x = smallest_solution(of_h, blocks.c)
        status = move(blocks, of_h.basis[of_h.R.shape[0] :], of_g.basis[of_g.R.shape[0] :], x)
        if status == OK:
            write_solution(dense, x, multipliers_of(of_g, blocks.A @ x - blocks.f))
        return int(status)

    return cast("Callable[..., Any]", eliminate)


# The identity.
@internal
def fill_identity(table: FloatArray) -> None:
    """Set ``table <- 1``, the identity."""
    for i in range(table.shape[0]):
        for j in range(table.shape[1]):
            table[i, j] = 1.0 if i == j else 0.0
