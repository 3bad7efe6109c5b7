"""Equations: derived for each type of element, put together for the mechanism, as graphs."""
