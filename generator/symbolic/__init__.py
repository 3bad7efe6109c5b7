"""Derivation: from the statement of an element type to its equations and exact derivatives."""
