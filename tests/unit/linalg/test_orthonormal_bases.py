"""Null spaces and least squares of matrices of known rank, against NumPy's pseudo-inverse."""

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from mbdgen.runtime.linalg.gram_schmidt import by_gram_schmidt
from mbdgen.runtime.linalg.householder import by_householder
from mbdgen.runtime.linalg.orthonormal_bases import (
    multipliers_of,
    pseudo_inverse,
    smallest_solution,
)
from mbdgen.runtime.linalg.pivot_reuse import no_pivots
from mbdgen.runtime.linalg.svd import by_svd
from mbdgen.runtime.program.compiled_functions import compiled
from mbdgen.runtime.system.run_workspace import OK, SINGULAR_TANGENT

Array = NDArray[np.float64]
WAYS = {"householder": by_householder, "gram-schmidt": by_gram_schmidt, "svd": by_svd}


@cache
def solver(way: str) -> Callable[..., Any]:
    """Return ``(matrix, c, r, rank)`` -> status, null space, ``H^+``, ``H^+ c``, ``(H^T)^+ r``."""
    product_of = WAYS[way]

    @compiled
    def everything(matrix: Array, c: Array, r: Array, rank: int) -> Any:
        m, n = matrix.shape
        status, product = product_of(matrix, rank, no_pivots(m, n))
        inverse, x, y = np.zeros((n, m)), np.zeros(n), np.zeros(m)
        if status == 0:
            inverse = pseudo_inverse(product)
            x = smallest_solution(product, c)
            y = multipliers_of(product, r)
        return status, product.basis[rank:], inverse, x, y

    return everything


SHAPES = ((6, 9, 4), (5, 7, 5), (9, 9, 3), (8, 5, 5), (0, 4, 0))


@pytest.mark.representatives(id=["5-7-5-svd", "9-9-3-svd", "8-5-5-svd", "0-4-0-svd"])
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(("m", "n", "rank"), SHAPES)
def test_against_the_pseudo_inverse(m: int, n: int, rank: int, way: str) -> None:
    """Right sides are incompatible: both solutions are those of the pseudo-inverse."""
    random = np.random.default_rng(7)
    matrix = random.normal(size=(m, rank)) @ random.normal(size=(rank, n))
    c, r = random.normal(size=m), random.normal(size=n)
    status, basis, inverse, x, y = solver(way)(matrix, c, r, rank)
    exact = np.linalg.pinv(matrix, rcond=1e-10)
    assert status == OK
    assert np.abs(matrix @ basis.T).max(initial=0.0) < 1e-13
    assert np.abs(basis @ basis.T - np.eye(n - rank)).max(initial=0.0) < 1e-14
    assert np.abs(inverse - exact).max(initial=0.0) < 1e-10
    assert np.abs(x - exact @ c).max() < 1e-10
    assert np.abs(y - exact.T @ r).max(initial=0.0) < 1e-10


@pytest.mark.representatives(id="svd")
@pytest.mark.parametrize("way", WAYS)
def test_rows_that_are_almost_dependent_do_not_change_the_rank(way: str) -> None:
    """An iterate is off: the third row is dependent to 1e-6 only, and the null space keeps two."""
    random = np.random.default_rng(8)
    matrix = random.normal(size=(3, 4))
    matrix[2] = matrix[0] - matrix[1] + 1e-6 * random.normal(size=4)
    status, basis, _, x, _ = solver(way)(matrix, matrix @ np.ones(4), np.ones(4), 2)
    assert status == OK and basis.shape == (2, 4)
    assert np.abs(matrix @ basis.T).max() < 1e-5
    nearest = np.linalg.pinv(matrix, rcond=1e-4) @ matrix @ np.ones(4)
    assert np.abs(x - nearest).max() < 1e-5


@pytest.mark.parametrize("way", WAYS)
def test_a_rank_that_is_not_there_is_reported(way: str) -> None:
    matrix = np.zeros((2, 3))
    matrix[0, 1] = 1.0
    assert solver(way)(matrix, np.zeros(2), np.zeros(3), 2)[0] == SINGULAR_TANGENT
