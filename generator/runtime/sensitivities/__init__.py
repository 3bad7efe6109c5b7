"""Sensitivities: exact derivatives of a motion by parameters and by initial values."""
