"""Primitive constraints, from which joints are composed: point, vector, distance, angle."""
