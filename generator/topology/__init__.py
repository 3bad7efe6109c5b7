"""Structure without algebra: from a model to elements, and which of them are of one type."""
