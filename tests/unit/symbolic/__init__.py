"""Derivation, lowering and printing."""
