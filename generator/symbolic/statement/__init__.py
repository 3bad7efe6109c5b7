"""What one element states, in its symbols, and whether it may state that."""
