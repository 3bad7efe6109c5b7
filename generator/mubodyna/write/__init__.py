"""Writing of a readable model file."""
