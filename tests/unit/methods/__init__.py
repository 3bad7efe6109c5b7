"""Integrators, formulations and projections."""
