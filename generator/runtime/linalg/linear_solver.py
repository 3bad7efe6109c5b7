"""Sparse linear solver: equations ``A x = b`` of fixed pattern, solved inside compiled loops.

Every linear solver has the same four functions, so that it can be replaced (KLU, SuperLU, banded):

``analyse(indptr, indices, values) -> Factors``
    Once per pattern, from Python: choose pivots, symbolic factorisation. Raises
    `SingularMatrixError`.
``factorise(factors, values) -> status``
    In the loop, numeric factorisation: ``OK``, or ``REPIVOT`` (the pivots do not suit these
    values: leave the loop, call ``analyse`` with them and continue), or ``SINGULAR`` (or NaN).
``solve(factors, rhs, x)``
    In the loop, with the last factors; ``x`` may be ``rhs``.
``refine(factors, indptr, indices, values, rhs, x)``
    In the loop: one step of iterative refinement of ``x``. Fixed pivots lose digits as the values
    depart from the analysed ones, [M] three at the 99th percentile of arbitrary changes; one step
    restores them. Newton's method does so by itself.

``Factors`` contains workspace: each thread needs its own.

Small matrices are treated as dense with partial pivoting, all others by a left-looking sparse LU
(Gilbert and Peierls) with the pivots and the pattern of ``L`` and ``U`` fixed by ``analyse``, so
that ``factorise`` consists of additions and multiplications only.
"""

import numpy as np
import scipy.sparse as sp

from mbdgen.runtime.linalg.equilibration import SingularMatrixError, equilibrate
from mbdgen.runtime.linalg.factor_storage import (
    DENSE,
    FACTORS,
    INTS,
    OK,
    REALS,
    REPIVOT,
    SINGULAR,
    SPARSE,
    UNKNOWN,
    Factors,
)
from mbdgen.runtime.linalg.lu_factorisation import factorise, solve
from mbdgen.runtime.program.compiled_functions import separate
from mbdgen.runtime.system.system_data import FloatArray, IntArray
from mbdgen.subset import types

__all__ = [
    "FACTORS",
    "OK",
    "REPIVOT",
    "SINGULAR",
    "Factors",
    "SingularMatrixError",
    "analyse",
    "dense_factors",
    "factorise",
    "multiply",
    "new_factors",
    "refine",
    "solve",
]

# [M] Dense LU costs 0.42 us instead of 0.36 at n = 5, 0.78 instead of 0.61 at 12 and 2.3 instead of
# 1.3 at 24. Up to here it is worth that: it chooses new pivots inside the loop.
DENSE_LIMIT = 12

# In the equilibrated matrix all entries are at most 1. Elimination amplifies round-off by the
# largest intermediate value (growth factor): at 1e8 half of the digits are lost, and one Newton
# iteration or `refine` still gains the other half.
GROWTH_LIMIT = 1e8
# A pivot this small is the round-off of a difference.
PIVOT_FLOOR = 1e-16
# Factor between the analysed values and later ones, if the former are close to these limits.
MARGIN = 1e3
# Largest entry of the equilibrated matrix that may be dropped.
NOISE = 1e-13
# [M] Cost of matrix and factorisation relative to residual and solution; within a tenth the same
# for cranks with dyads, chains and four-bars.
PRICE = 1.35


def analyse(
    indptr: IntArray, indices: IntArray, values: FloatArray, kept: IntArray | None = None
) -> Factors:
    """Choose pivots for ``values``, find the pattern of the factors, and factorise.

    Parameters
    ----------
    indptr, indices : array of int
        Pattern compressed by columns, without duplicates.
    values : array
        Representative values: the pivots chosen for these are kept.
    kept : array of int, optional
        Indices of the values that may differ from zero; by default all of them.

    Returns
    -------
    Factors
        Ready for `solve` with these values and for `factorise` with others.

    Raises
    ------
    SingularMatrixError
        If ``values`` are singular in double precision or not finite.
    """
    if not np.isfinite(values).all():
        raise SingularMatrixError("the matrix has entries that are not finite")
    n = indptr.size - 1
    slots = np.arange(values.size) if kept is None else kept
    columns = np.searchsorted(indptr, slots, side="right") - 1
    matrix = sp.csc_array(
        (values[slots], indices[slots], np.searchsorted(columns, np.arange(n + 1))), shape=(n, n)
    )
    row_scale, column_scale = equilibrate(matrix)
    if n <= DENSE_LIMIT:
        factors = dense_factors(indptr, indices)
    else:
        absent = np.setdiff1d(np.arange(values.size), slots)
        owners = np.searchsorted(indptr, absent, side="right") - 1
        noise = NOISE / (row_scale[indices[absent]] * column_scale[owners])
        factors = _sparse(matrix, slots, (absent, noise), row_scale, column_scale)
    if factorise(factors, values) != OK:
        raise SingularMatrixError("the matrix is singular")
    _check_digits(factors, matrix, row_scale, column_scale)
    if n > DENSE_LIMIT:
        growth, pivot = _extremes(factors)
        factors.limits[:2] = max(GROWTH_LIMIT, MARGIN * growth), min(PIVOT_FLOOR, pivot / MARGIN)
    return factors


def dense_factors(indptr: IntArray, indices: IntArray) -> Factors:
    """Allocate factors of a matrix that is treated as dense, for any values."""
    n = indptr.size - 1
    none = np.zeros(0, np.uint32)
    return Factors(
        header=np.array([n, DENSE]),
        limits=np.array([np.inf, PIVOT_FLOOR, 1.0]),
        rows=np.arange(n, dtype=np.uint32),
        columns=np.arange(n, dtype=np.uint32),
        row_scale=np.ones(n),
        column_scale=np.ones(n),
        a_ptr=indptr.astype(np.uint32),
        a_source=none,
        a_row=indices.astype(np.uint32),
        absent=none,
        noise=np.zeros(0),
        l_ptr=none,
        l_row=none,
        l_value=np.zeros(n * n),
        u_ptr=none,
        u_row=none,
        u_value=np.zeros(0),
        inverse=np.zeros(n),
        work=np.zeros(n),
        residual=np.zeros(n),
        held=np.zeros(1 + indices.size),
    )


def new_factors(indptr: IntArray, indices: IntArray) -> Factors:
    """Return factors that choose pivots at the first `factorise` (dense) or request them there."""
    n = indptr.size - 1
    if n <= DENSE_LIMIT:
        return dense_factors(indptr, indices)
    empty = dense_factors(np.zeros(1, np.int64), np.zeros(0, np.int64))
    return empty._replace(header=np.array([n, UNKNOWN]))


def _sparse(
    matrix: sp.csc_array,
    slots: IntArray,
    left_out: tuple[IntArray, FloatArray],
    row_scale: FloatArray,
    column_scale: FloatArray,
) -> Factors:
    """Choose pivots, find the pattern of the factors and allocate them."""
    # Ordering takes seconds to compile, and fused kernels do not need it.
    from mbdgen.runtime.linalg.pivot_ordering import choose_elimination

    absent, noise = left_out
    n = matrix.shape[0]
    order = choose_elimination(matrix, row_scale, column_scale)
    rank = np.empty(n, np.uint32)
    rank[order.rows] = np.arange(n)
    # The same column permutation as that of the matrix gives the source of each of its entries.
    source = sp.csc_array((slots, matrix.indices, matrix.indptr), shape=(n, n))
    source = source[:, order.columns]
    return Factors(
        header=np.array([n, SPARSE]),
        limits=np.array([np.inf, 0.0, PRICE * order.products / (order.fill + 2 * n)]),
        rows=order.rows.astype(np.uint32),
        columns=order.columns.astype(np.uint32),
        row_scale=row_scale[order.rows],
        column_scale=column_scale[order.columns],
        a_ptr=source.indptr.astype(np.uint32),
        a_source=source.data.astype(np.uint32),
        a_row=rank[source.indices],
        absent=absent.astype(np.uint32),
        noise=noise,
        l_ptr=order.l_ptr.astype(np.uint32),
        l_row=order.l_row.astype(np.uint32),
        l_value=np.zeros(order.l_row.size),
        u_ptr=order.u_ptr.astype(np.uint32),
        u_row=order.u_row.astype(np.uint32),
        u_value=np.zeros(order.u_row.size),
        inverse=np.zeros(n),
        work=np.zeros(n),
        residual=np.zeros(n),
        held=np.zeros(1 + slots.size + absent.size),
    )


def _extremes(factors: Factors) -> tuple[float, float]:
    """Return the largest scaled column sum and the smallest scaled pivot, as in `factorise`."""
    n = int(factors.header[0])
    pivots = np.abs(1.0 / factors.inverse) * factors.row_scale * factors.column_scale
    below = np.abs(factors.l_value) * factors.row_scale[factors.l_row]
    above = np.abs(factors.u_value) * factors.row_scale[factors.u_row]
    l_column = np.repeat(np.arange(n), np.diff(factors.l_ptr))
    u_column = np.repeat(np.arange(n), np.diff(factors.u_ptr))
    below_sum = np.bincount(l_column, below, n) / np.abs(factors.inverse)
    sums = (below_sum + np.bincount(u_column, above, n)) * factors.column_scale + pivots
    return float(sums.max()), float(pivots.min())


def _check_digits(
    factors: Factors, matrix: sp.csc_array, row_scale: FloatArray, column_scale: FloatArray
) -> None:
    """Solve for a known solution, and raise if the result has no correct digit.

    The pivots of a singular matrix are round-off, not zero, so no test of their size
    distinguishes it from an ill-conditioned one.
    """
    n = matrix.shape[0]
    indptr, indices = matrix.indptr.astype(np.int64), matrix.indices.astype(np.int64)
    known = np.random.default_rng(1).choice([-1.0, 1.0], n) * column_scale
    rhs, x = matrix @ known, np.empty(n)
    solve(factors, rhs, x)
    refine(factors, indptr, indices, matrix.data, rhs, x)
    if np.abs((x - known) / column_scale).max(initial=0.0) < 0.1:
        return
    pivots = np.abs(factors.inverse) / (row_scale[factors.rows] * column_scale[factors.columns])
    worst = int(np.argmax(pivots))
    row, column = int(factors.rows[worst]), int(factors.columns[worst])
    raise SingularMatrixError(
        f"the matrix is singular in double precision, seen in row {row}, column {column}",
        row,
        column,
    )


@separate(types.void(INTS, INTS, REALS, REALS, REALS))
def multiply(
    indptr: IntArray, indices: IntArray, values: FloatArray, x: FloatArray, y: FloatArray
) -> None:
    """Write ``A x`` into ``y``, which must not be ``x``."""
    y[:] = 0.0
    for j in range(x.size):
        for p in range(indptr[j], indptr[j + 1]):
            y[indices[p]] += values[p] * x[j]


@separate(types.void(FACTORS, INTS, INTS, REALS, REALS, REALS))
def refine(
    factors: Factors,
    indptr: IntArray,
    indices: IntArray,
    values: FloatArray,
    rhs: FloatArray,
    x: FloatArray,
) -> None:
    """Improve ``x`` by the solution of ``A dx = rhs - A x``; ``x`` must not be ``rhs``.

    ``A`` may differ slightly from the factorised matrix: a small regularisation of redundant
    constraints, for instance, is removed by iteration.
    """
    residual = factors.residual
    multiply(indptr, indices, values, x, residual)
    for i in range(x.size):
        residual[i] = rhs[i] - residual[i]
    solve(factors, residual, residual)
    for i in range(x.size):
        x[i] += residual[i]
