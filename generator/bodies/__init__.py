"""Body kinds: one file for each set of generalised coordinates."""
