"""Contact laws: one file each, the dissipative force in addition to the elastic force."""
