"""Linear algebra: sparse and dense LU, pivoting, ordering, fill-in, null spaces, regularisation."""
