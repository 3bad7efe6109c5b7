"""Orders of elimination: what they cost, and that they are orders."""

from typing import TYPE_CHECKING

import numpy as np
import pytest
import scipy.sparse as sp

if TYPE_CHECKING:
    from mbdgen.runtime.linalg.pivot_ordering import PivotOrdering


def tree_kkt(parents: list[int], size: int = 6, rows: int = 5) -> sp.csc_array:
    """``[M, -G^T; G, eps]`` of bodies that hang on earlier ones (-1: on ground)."""
    rng = np.random.default_rng(3)
    n_q, n = size * len(parents), (size + rows) * len(parents)
    block = np.arange(size)
    where, what, numbers = [], [], []

    def put(row: np.ndarray, column: np.ndarray, values: np.ndarray) -> None:
        r, c = np.meshgrid(row, column, indexing="ij")
        where.append(r.ravel())
        what.append(c.ravel())
        numbers.append(values.ravel())

    for body, parent in enumerate(parents):
        put(size * body + block, size * body + block, np.eye(size) + 0.1 * rng.random((size, size)))
        row = n_q + rows * body + np.arange(rows)
        put(row, row, 1e-10 * np.eye(rows))
        for end in (body, parent):
            if end >= 0:
                jacobian = rng.normal(size=(rows, size))
                put(row, size * end + block, jacobian)
                put(size * end + block, row, -jacobian.T)
    entries = (np.concatenate(numbers), (np.concatenate(where), np.concatenate(what)))
    return sp.csc_array(sp.coo_array(entries, shape=(n, n)))


def elimination(matrix: sp.csc_array) -> "PivotOrdering":
    from mbdgen.runtime.linalg.pivot_ordering import choose_elimination  # which compiles

    ones = np.ones(matrix.shape[0])
    return choose_elimination(matrix, ones, ones)


SHAPES = {
    "star": lambda n: [-1, *[0] * (n - 1)],
    "chain": lambda n: list(range(-1, n - 1)),
    "binary tree": lambda n: [-1, *[(k - 1) // 2 for k in range(1, n)]],
}


@pytest.mark.parametrize("shape", SHAPES)
def test_cost_of_each_unknown_does_not_grow(shape: str) -> None:
    """Ten times the bodies, ten times the multiplications: exponent 1.05 would be 1.12 a decade."""
    cost = {}
    for bodies in (40, 400):
        matrix = tree_kkt(SHAPES[shape](bodies))
        cost[bodies] = elimination(matrix).products / matrix.shape[0]
    assert cost[40] > 5.0
    assert cost[400] <= 10.0**0.05 * cost[40]


def test_arrow_is_eliminated_from_its_tip_without_fill() -> None:
    n = 50
    full = np.eye(n)
    full[0, :] = full[:, 0] = 0.5
    found = elimination(sp.csc_array(full))
    assert found.fill == 2 * (n - 1)
    assert 0 in found.rows[-2:] and 0 in found.columns[-2:]


def test_elimination_is_one_of_all_rows_and_columns() -> None:
    matrix = tree_kkt([-1, 0, 1, 1, 3, 0])
    found = elimination(matrix)
    n = matrix.shape[0]
    assert sorted(found.rows) == sorted(found.columns) == list(range(n))
    pivots = matrix.toarray()[found.rows][:, found.columns]
    assert np.linalg.matrix_rank(pivots) == n


def test_subtrees_are_in_one_piece() -> None:
    """Two chains 0-2-4-6 and 1-3-5-6 that were numbered in turn."""
    from mbdgen.runtime.linalg.elimination_tree import postorder

    pairs = [(0, 2), (2, 4), (4, 6), (1, 3), (3, 5), (5, 6)]
    full = np.eye(7)
    for i, j in pairs:
        full[i, j] = full[j, i] = 1.0
    pattern = sp.csc_array(full)
    order = postorder(pattern.indptr.astype(np.int64), pattern.indices.astype(np.int64))
    assert order.tolist() in ([0, 2, 4, 1, 3, 5, 6], [1, 3, 5, 0, 2, 4, 6])


def test_distances_begin_at_the_node_with_most_neighbours() -> None:
    from mbdgen.runtime.linalg.elimination_tree import distances, symmetric_pattern

    full = np.eye(6)
    for i, j in [(3, 0), (3, 1), (3, 2), (2, 4)]:
        full[i, j] = 1.0
    pattern = sp.csc_array(full)
    found = distances(*symmetric_pattern(pattern.indptr, pattern.indices))
    assert found.tolist() == [1, 1, 1, 0, 2, 0]
