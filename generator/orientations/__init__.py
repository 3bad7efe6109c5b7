"""Rotation parametrisations, one per file; discovered automatically."""
