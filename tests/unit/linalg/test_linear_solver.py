import pickle

import numpy as np
import pytest
import scipy.sparse as sp

from mbdgen.runtime.linalg import linear_solver
from mbdgen.runtime.linalg.equilibration import equilibrate
from mbdgen.runtime.linalg.linear_solver import (
    OK,
    REPIVOT,
    SINGULAR,
    SingularMatrixError,
    analyse,
    factorise,
    multiply,
    refine,
    solve,
)


class Matrix:
    """A fixed pattern with values that may change."""

    def __init__(self, dense, pattern=None):
        kept = sp.csc_array(dense != 0 if pattern is None else pattern)
        kept.sort_indices()
        self.n = dense.shape[0]
        self.indptr, self.indices = kept.indptr.astype(np.int64), kept.indices.astype(np.int64)
        self.columns = np.repeat(np.arange(self.n), np.diff(self.indptr))
        self.values = self.of(dense)

    def of(self, dense):
        return np.ascontiguousarray(dense[self.indices, self.columns])

    def dense(self, values):
        full = np.zeros((self.n, self.n))
        full[self.indices, self.columns] = values
        return full

    def analyse(self):
        return analyse(self.indptr, self.indices, self.values)


def chain_kkt(rng, bodies, eps=0.0, size=6, rows=5, loop=False):
    """``[S, -G^T; H, eps]`` of a chain of bodies; a loop joins the last one to ground."""
    joints = [(i - 1, i) for i in range(bodies)] + ([(bodies - 1, -1)] if loop else [])
    n_q = size * bodies
    n = n_q + rows * len(joints)
    full = np.zeros((n, n))
    for i in range(bodies):
        block = slice(size * i, size * i + size)
        full[block, block] = np.diag(rng.uniform(0.1, 2.0, size)) + 0.01 * rng.normal(
            size=(size, size)
        )
    for k, pair in enumerate(joints):
        row = slice(n_q + rows * k, n_q + rows * (k + 1))
        for body in pair:
            if body >= 0:
                block = slice(size * body, size * body + size)
                jacobian = rng.normal(size=(rows, size))
                full[row, block] = jacobian
                full[block, row] = -(jacobian + 0.01 * rng.normal(size=(rows, size))).T
        full[row, row] = eps * np.eye(rows)
    pattern = full != 0
    np.fill_diagonal(pattern, True)
    return Matrix(full, pattern)


def solution(factors, rhs):
    x = np.empty_like(rhs)
    solve(factors, rhs, x)
    return x


def assert_solves(matrix, factors, values, rng, digits=1e-8):
    rhs = rng.normal(size=matrix.n)
    expected = np.linalg.solve(matrix.dense(values), rhs)
    error = np.abs(solution(factors, rhs) - expected).max()
    assert error <= digits * np.abs(expected).max()


@pytest.mark.parametrize("bodies", [1, 2, 3, 12, 30])
@pytest.mark.parametrize("size,rows", [(3, 2), (6, 5)])
def test_refactors_changed_values(bodies, size, rows):
    rng = np.random.default_rng(bodies)
    matrix = chain_kkt(rng, bodies, size=size, rows=rows)
    factors = matrix.analyse()
    assert_solves(matrix, factors, matrix.values, rng)
    for _ in range(3):
        values = matrix.values * rng.uniform(0.9, 1.1, matrix.values.size)
        assert factorise(factors, values) == OK
        assert_solves(matrix, factors, values, rng)


def test_one_equation():
    matrix = Matrix(np.array([[4.0]]))
    factors = matrix.analyse()
    assert solution(factors, np.array([2.0]))[0] == 0.5
    assert factorise(factors, np.array([-8.0])) == OK
    assert solution(factors, np.array([2.0]))[0] == -0.25
    assert factorise(factors, np.array([0.0])) == SINGULAR


def test_no_equations():
    matrix = Matrix(np.zeros((0, 0)))
    assert solution(matrix.analyse(), np.zeros(0)).size == 0


def test_dense_and_sparse_agree(monkeypatch):
    rng = np.random.default_rng(3)
    matrix = chain_kkt(rng, 4, size=3, rows=2)
    rhs = rng.normal(size=matrix.n)
    results = []
    for limit in (0, 100):
        monkeypatch.setattr(linear_solver, "DENSE_LIMIT", limit)
        factors = matrix.analyse()
        assert factors.header[1] == (linear_solver.DENSE if limit else linear_solver.SPARSE)
        results.append(solution(factors, rhs))
    np.testing.assert_allclose(results[0], results[1], rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("bodies", [2, 5, 20])
def test_bodies_without_mass(bodies):
    """Rows of ``S`` may vanish where the constraints alone determine the motion."""
    rng = np.random.default_rng(11)
    matrix = chain_kkt(rng, bodies, size=3, rows=2)
    full = matrix.dense(matrix.values)
    full[:2, :3] = full[:3, :2] = 0.0
    values = matrix.of(full)
    factors = analyse(matrix.indptr, matrix.indices, values)
    assert_solves(matrix, factors, values, rng)


@pytest.mark.parametrize("bodies", [1, 8])
@pytest.mark.parametrize("eps", [1e-10, 1e-12])
def test_redundant_constraints_regularised(bodies, eps):
    """Twice the same constraint with a tiny diagonal: the coordinates are those of one of them."""
    rng = np.random.default_rng(5)
    matrix = chain_kkt(rng, bodies, size=6, rows=3)
    n_q = 6 * bodies
    full = matrix.dense(matrix.values)
    full[n_q + 1] = full[n_q]
    full[:, n_q + 1] = full[:, n_q]
    kept = np.delete(np.arange(matrix.n), n_q + 1)
    full[range(n_q, matrix.n), range(n_q, matrix.n)] = 0.0
    rhs = rng.normal(size=matrix.n)
    rhs[n_q + 1] = rhs[n_q]
    exact = np.linalg.solve(full[np.ix_(kept, kept)], rhs[kept])[:n_q]
    unregularised = matrix.of(full)
    full[range(n_q, matrix.n), range(n_q, matrix.n)] = eps
    factors = analyse(matrix.indptr, matrix.indices, matrix.of(full))
    x = solution(factors, rhs)
    refine(factors, matrix.indptr, matrix.indices, unregularised, rhs, x)
    np.testing.assert_allclose(x[:n_q], exact, rtol=1e-6, atol=1e-8)


def test_pivot_that_becomes_zero_asks_for_new_pivots(monkeypatch):
    monkeypatch.setattr(linear_solver, "DENSE_LIMIT", 0)
    matrix = Matrix(np.array([[2.0, 1.0, 0.0], [1.0, 2.0, 1.0], [0.0, 1.0, 2.0]]))
    factors = matrix.analyse()
    full = matrix.dense(matrix.values)
    full[factors.rows[0], factors.columns[0]] = 0.0
    values = matrix.of(full)
    assert factorise(factors, values) == REPIVOT
    rng = np.random.default_rng(0)
    assert_solves(matrix, analyse(matrix.indptr, matrix.indices, values), values, rng)
    # The failure has left nothing behind.
    assert factorise(factors, matrix.values) == OK
    assert_solves(matrix, factors, matrix.values, rng)


def test_tiny_pivot_with_growth_asks_for_new_pivots(monkeypatch):
    monkeypatch.setattr(linear_solver, "DENSE_LIMIT", 0)
    matrix = Matrix(np.array([[3.0, 1.0], [1.0, 3.0]]))
    factors = matrix.analyse()
    full = matrix.dense(matrix.values)
    for size, status in ((1e-3, OK), (1e-12, REPIVOT)):
        full[factors.rows[0], factors.columns[0]] = size
        assert factorise(factors, matrix.of(full)) == status


def test_dense_chooses_new_pivots_itself():
    matrix = Matrix(np.array([[1.0, 1.0], [1.0, 2.0]]))
    factors = matrix.analyse()
    values = matrix.of(np.array([[0.0, 1.0], [1.0, 0.0]]))
    assert factorise(factors, values) == OK
    np.testing.assert_allclose(solution(factors, np.array([2.0, 3.0])), [3.0, 2.0])


@pytest.mark.parametrize("bodies", [1, 6])
def test_not_a_number_is_singular(bodies):
    matrix = chain_kkt(np.random.default_rng(1), bodies, size=3, rows=2)
    factors = matrix.analyse()
    for place in range(matrix.values.size):
        for bad in (np.nan, np.inf):
            values = matrix.values.copy()
            values[place] = bad
            assert factorise(factors, values) == SINGULAR
    assert factorise(factors, matrix.values) == OK
    with pytest.raises(SingularMatrixError, match="not finite"):
        analyse(matrix.indptr, matrix.indices, values)


@pytest.mark.parametrize("limit", [0, 100])
def test_singular_matrices_are_refused(monkeypatch, limit):
    monkeypatch.setattr(linear_solver, "DENSE_LIMIT", limit)
    rng = np.random.default_rng(2)
    matrix = chain_kkt(rng, 3, size=3, rows=2)
    full = matrix.dense(matrix.values)
    dependent = full.copy()
    dependent[9 + 1] = 3.0 * dependent[9]
    empty = full.copy()
    empty[:, 4] = 0.0
    for singular in (dependent, empty):
        with pytest.raises(SingularMatrixError):
            analyse(matrix.indptr, matrix.indices, matrix.of(singular))


def test_badly_scaled_rows_and_columns():
    rng = np.random.default_rng(8)
    matrix = chain_kkt(rng, 10)
    row, column = 10.0 ** rng.uniform(-8, 8, matrix.n), 10.0 ** rng.uniform(-8, 8, matrix.n)
    values = matrix.values * row[matrix.indices] * column[matrix.columns]
    factors = analyse(matrix.indptr, matrix.indices, values)
    rhs = rng.normal(size=matrix.n)
    expected = np.linalg.solve(matrix.dense(matrix.values), rhs)
    x = solution(factors, rhs * row) * column
    np.testing.assert_allclose(x, expected, rtol=1e-6, atol=1e-8 * np.abs(expected).max())


def test_equilibration_makes_largest_entries_one():
    matrix = chain_kkt(np.random.default_rng(4), 10)
    scaled = sp.csc_array((matrix.values, matrix.indices, matrix.indptr), shape=(matrix.n,) * 2)
    row, column = equilibrate(scaled)
    sizes = np.abs(matrix.dense(matrix.values)) * row[:, None] * column
    np.testing.assert_allclose(sizes.max(axis=0), 1.0, rtol=0.5)
    np.testing.assert_allclose(sizes.max(axis=1), 1.0, rtol=0.5)


def test_right_side_may_be_the_solution():
    rng = np.random.default_rng(6)
    for bodies in (1, 7):
        matrix = chain_kkt(rng, bodies, size=3, rows=2)
        factors = matrix.analyse()
        rhs = rng.normal(size=matrix.n)
        expected = solution(factors, rhs)
        solve(factors, rhs, rhs)
        np.testing.assert_array_equal(rhs, expected)


def test_multiply():
    rng = np.random.default_rng(7)
    matrix = chain_kkt(rng, 3)
    x, y = rng.normal(size=matrix.n), np.full(matrix.n, np.nan)
    multiply(matrix.indptr, matrix.indices, matrix.values, x, y)
    np.testing.assert_allclose(y, matrix.dense(matrix.values) @ x, rtol=1e-13, atol=1e-13)


def test_pattern_holds_fill_of_values_that_cancel():
    """Zeros of the analysed values, or sums that vanish there, are not holes in the factors."""
    rng = np.random.default_rng(9)
    matrix = chain_kkt(rng, 6, size=3, rows=2, loop=True)
    rest = np.where(rng.uniform(size=matrix.values.size) < 0.2, 0.0, matrix.values)
    full = matrix.dense(rest)
    np.fill_diagonal(full, 3.0)
    factors = analyse(matrix.indptr, matrix.indices, matrix.of(full))
    moved = matrix.dense(rng.normal(size=matrix.values.size))
    np.fill_diagonal(moved, 10.0)
    status = factorise(factors, matrix.of(moved))
    assert status == OK
    assert_solves(matrix, factors, matrix.of(moved), rng)


@pytest.mark.parametrize("seed", range(5))
def test_fill_pattern_is_that_of_elimination(seed):
    from mbdgen.runtime.linalg.symbolic_factorisation import fill_pattern  # which compiles

    rng = np.random.default_rng(seed)
    n = 30
    pattern = rng.uniform(size=(n, n)) < 0.08
    np.fill_diagonal(pattern, True)
    matrix = Matrix(pattern.astype(float))
    l_ptr, l_row, u_ptr, u_row = fill_pattern(matrix.indptr, matrix.indices)
    for k in range(n):
        rest = slice(k + 1, n)
        pattern[rest, rest] |= np.outer(pattern[rest, k], pattern[k, rest])
    for k in range(n):
        below, above = l_row[l_ptr[k] : l_ptr[k + 1]], u_row[u_ptr[k] : u_ptr[k + 1]]
        assert sorted(below) == list(k + 1 + np.flatnonzero(pattern[k + 1 :, k]))
        assert sorted(above) == list(np.flatnonzero(pattern[:k, k]))


def test_long_chain():
    rng = np.random.default_rng(10)
    bodies, size, rows = 400, 6, 5
    small = chain_kkt(rng, 2, size=size, rows=rows)
    unit = sp.csc_array(small.dense(small.values))
    joined = sp.block_diag([unit] * (bodies // 2), format="lil")
    n = small.n
    for i in range(bodies // 2 - 1):
        joined[n * i + 3, n * (i + 1) + 14] = 0.1
        joined[n * (i + 1) + 14, n * i + 3] = -0.1
    matrix = sp.csc_array(joined)
    factors = analyse(matrix.indptr.astype(np.int64), matrix.indices.astype(np.int64), matrix.data)
    known = rng.normal(size=matrix.shape[0])
    np.testing.assert_allclose(solution(factors, matrix @ known), known, rtol=1e-6, atol=1e-6)


def test_factors_are_arrays_only():
    factors = chain_kkt(np.random.default_rng(0), 2).analyse()
    assert all(isinstance(field, np.ndarray) and field.ndim == 1 for field in factors)
    assert pickle.loads(pickle.dumps(factors)).header[0] == factors.header[0]
