"""Body kinds: one file per set of coordinates."""
