"""Integrators: one file per formula."""
