"""Output kinds: one file each, discovered automatically."""
