"""One model through many schemes: errors, violations, energy and time beside each other."""
