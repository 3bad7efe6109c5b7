"""Joints and drivers: one file for each, its equations stated on two frames."""
