"""Fused kernels: evaluation, factorisation and solution in straight-line code."""
