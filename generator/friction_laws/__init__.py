"""Friction laws: one file each, the friction coefficient as a function of the sliding velocity."""
