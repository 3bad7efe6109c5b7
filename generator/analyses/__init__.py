"""Analyses of mechanisms and of their motions: one file each, found automatically."""
