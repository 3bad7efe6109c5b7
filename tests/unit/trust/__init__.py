"""Nothing is lost, and nothing is used that nobody vouches for."""
