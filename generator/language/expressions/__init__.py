"""Scalars, functions, splines and placeholders in a model, and bounds on their values."""
