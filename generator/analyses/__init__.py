"""Analyses of mechanisms and of their motions: one file each, found by looking into this folder."""
