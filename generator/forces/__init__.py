"""Forces: one file for each law, stated as a potential, a dissipation function or loads."""
