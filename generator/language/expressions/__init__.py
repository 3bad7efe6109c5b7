"""Numbers, functions and placeholders in a model, and the bounds that they keep."""
