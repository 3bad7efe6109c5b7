"""Joints along curves: cams, slots and paths; the curve parameter is an unknown."""
