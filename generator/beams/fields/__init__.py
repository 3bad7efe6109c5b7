"""What elements of beams have in common: shape functions, strains, inertia, integrals."""
