"""Linear algebra: sparse and dense factorisations, pivots, orderings, orthonormal bases."""
