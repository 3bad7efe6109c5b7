"""Finite elements of beams: one file each, found by itself."""
