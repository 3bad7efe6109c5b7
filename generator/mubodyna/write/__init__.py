"""Writing a model file that a person reads and changes."""
