"""Solvers written by hand, in plain NumPy and SciPy, that never import mbdgen."""
