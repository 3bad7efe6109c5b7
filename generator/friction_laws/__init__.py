"""Friction laws: one file for each, stated as a coefficient by the speed of sliding."""
