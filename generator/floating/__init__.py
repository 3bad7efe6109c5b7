"""Floating frame of reference formulation: rigid-body and modal coordinates."""
