"""Accuracy and speed of a run: error estimates, checks, verification, profiles."""
