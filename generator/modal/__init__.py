"""Modes of flexible bodies, by numbers: of straight beams, and of matrices of finite elements."""
