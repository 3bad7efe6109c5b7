"""Stability of any method, from its own compiled step on an oscillator."""
