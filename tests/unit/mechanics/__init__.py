"""Analyses of mechanisms without a simulation."""
