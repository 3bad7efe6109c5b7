"""Ensembles."""
