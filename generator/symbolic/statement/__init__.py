"""Statements of elements in symbolic form, and their validation."""
