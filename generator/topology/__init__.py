"""What the structure of a mechanism says before any algebra: counts, loops, names."""
