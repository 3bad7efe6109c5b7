"""Primitive constraints, which joints are made of: a point, a vector, a distance, an angle."""
