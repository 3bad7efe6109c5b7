"""Force laws: one file each, by a potential, a dissipation function or loads."""
