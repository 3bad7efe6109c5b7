"""Structure without algebra: which element types a model needs, and where everything goes."""
