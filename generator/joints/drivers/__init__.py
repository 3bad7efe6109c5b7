"""Prescribed motions: coordinates between two frames as functions of time."""
