"""Analyses that return tables, for `analyse`: one file each; all others are in `mechanics`."""
