"""Fused kernels: evaluation, factorisation and solution in one straight line."""
