"""Drivers (rheonomic constraints): relative coordinates as prescribed functions of time."""
