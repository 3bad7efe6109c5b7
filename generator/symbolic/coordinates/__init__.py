"""Coordinate transformations: relative (joint) coordinates, reduction, linear constraints."""
