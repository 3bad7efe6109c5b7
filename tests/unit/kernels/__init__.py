"""Derived equations checked against complex steps, virtual work and closed forms."""
