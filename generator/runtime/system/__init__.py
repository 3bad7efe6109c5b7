"""Multibody system: data, kernel calls, workspace, parameters, and loading of generated modules."""
