"""Flexible bodies in a floating frame: a rigid body's coordinates, and modes against it."""
