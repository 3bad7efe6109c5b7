"""Other coordinates than those of the bodies: relative, reduced, and without linear constraints."""
