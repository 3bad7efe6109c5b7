"""Comparison of many schemes on one model: errors, constraint violations, energy, CPU time."""
