"""Intermediate representation (IR): graphs of operations, of elements and of mechanisms."""
