"""Steps of methods: formulas that integrators share; fused, sparse and dense steps."""
