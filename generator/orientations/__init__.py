"""Sets of numbers for an orientation, one per file; they are found by looking into this folder."""
