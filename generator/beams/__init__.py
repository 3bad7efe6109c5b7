"""Finite elements of beams: one file each, discovered automatically."""
