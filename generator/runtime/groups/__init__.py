"""Structural groups: small parts of a mechanism that are solved one after the other."""
