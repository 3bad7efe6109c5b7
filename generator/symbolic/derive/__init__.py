"""Derivation of the equations of an element type: virtual work and exact derivatives."""
