"""Joints and drivers: one file each, constraint equations between two frames."""
