"""Compiler of the solver language: a typed subset of Python, specialised and translated."""
