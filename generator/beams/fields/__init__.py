"""Building blocks of beam elements: shape functions, strains, inertia, integrals."""
