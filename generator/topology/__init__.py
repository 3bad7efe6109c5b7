"""Structural analysis: from a model to elements, grouped into types with equal equations."""
