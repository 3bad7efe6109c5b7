"""Beams, belts, floating frames, and what slides on them."""
