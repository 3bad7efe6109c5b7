"""Integrators of other libraries behind the interface of our own steps."""
