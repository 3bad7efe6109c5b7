"""Step formulas shared by integrators: fused, sparse and dense steps."""
