"""Null spaces and least squares of matrices of known rank, against singular values."""

from typing import Any

import numpy as np
import pytest
from numba import njit
from numpy.typing import NDArray

from mbdgen.runtime.dense.orthogonal import (
    decompose,
    least_combination,
    least_squares,
    new_orthogonal,
    null_space,
)
from mbdgen.runtime.work import OK, SINGULAR_TANGENT

Array = NDArray[np.float64]


@njit
def everything(matrix: Array, c: Array, r: Array, rank: int) -> Any:
    """Status, null space, least squares, least combination."""
    m, n = matrix.shape
    b = new_orthogonal(m, n, rank)
    b.rows[:, :] = matrix
    basis, x, y = np.zeros((n - rank, n)), np.zeros(n), np.zeros(m)
    status = decompose(b)
    if status == 0:
        null_space(b, basis)
        least_squares(b, c, x)
        least_combination(b, r, y)
    return status, basis, x, y


SHAPES = ((6, 9, 4), (5, 7, 5), (9, 9, 3), (8, 5, 5), (0, 4, 0))


@pytest.mark.parametrize(("m", "n", "rank"), SHAPES)
def test_against_singular_values(m: int, n: int, rank: int) -> None:
    """Right sides are incompatible: both solutions are those of the pseudo-inverse."""
    random = np.random.default_rng(7)
    matrix = random.normal(size=(m, rank)) @ random.normal(size=(rank, n))
    c, r = random.normal(size=m), random.normal(size=n)
    status, basis, x, y = everything(matrix, c, r, rank)
    inverse = np.linalg.pinv(matrix, rcond=1e-10)
    assert status == OK
    assert np.abs(matrix @ basis.T).max(initial=0.0) < 1e-13
    assert np.abs(basis @ basis.T - np.eye(n - rank)).max(initial=0.0) < 1e-14
    assert np.abs(x - inverse @ c).max() < 1e-10
    assert np.abs(y - inverse.T @ r).max(initial=0.0) < 1e-10


def test_rows_that_are_almost_dependent_do_not_change_the_rank() -> None:
    """An iterate is off: the third row is dependent to 1e-6 only, and the null space keeps two."""
    random = np.random.default_rng(8)
    matrix = random.normal(size=(3, 4))
    matrix[2] = matrix[0] - matrix[1] + 1e-6 * random.normal(size=4)
    status, basis, x, _ = everything(matrix, matrix @ np.ones(4), np.ones(4), 2)
    assert status == OK and basis.shape == (2, 4)
    assert np.abs(matrix @ basis.T).max() < 1e-5
    nearest = np.linalg.pinv(matrix, rcond=1e-4) @ matrix @ np.ones(4)
    assert np.abs(x - nearest).max() < 1e-5


def test_a_rank_that_is_not_there_is_reported() -> None:
    matrix = np.zeros((2, 3))
    matrix[0, 1] = 1.0
    assert everything(matrix, np.zeros(2), np.zeros(3), 2)[0] == SINGULAR_TANGENT
