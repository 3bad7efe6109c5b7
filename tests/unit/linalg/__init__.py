"""Linear algebra: factorisations, pivots, orthonormal bases."""
