"""One mechanism in several sets of coordinates."""
