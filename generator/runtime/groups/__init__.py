"""Structural groups (Assur groups): small parts of a mechanism, solved one after the other."""
