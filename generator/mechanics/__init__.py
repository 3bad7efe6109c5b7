"""Mechanics of a mechanism without a simulation: mobility, positions, equilibria, small motions."""
