"""Flexible bodies in floating frames as users state them: matrices, modes, pictures."""
