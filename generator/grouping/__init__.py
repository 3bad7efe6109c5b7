"""Compilation of structural groups from a decomposition: members, kernels, text, module."""
