"""Joints along curves: cams, slots and paths."""
