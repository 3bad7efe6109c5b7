"""Joints: one file each, stated on frames and therefore independent of the body kinds."""
