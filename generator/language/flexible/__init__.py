"""User interface of flexible bodies in floating frames: matrices, modes, pictures."""
