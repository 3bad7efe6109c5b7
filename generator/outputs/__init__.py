"""Kinds of outputs: one file each, found by looking into this folder."""
