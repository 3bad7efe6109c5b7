"""Plots, animations and reports of results."""
