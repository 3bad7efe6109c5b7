"""Geometry for equations: vectors, frames, elementary functions, relative coordinates."""
