"""Solvers for the equations of a step with constraints, for any formulation and projection."""
