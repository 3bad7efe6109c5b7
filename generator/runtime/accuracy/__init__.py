"""How accurate and how fast a run was: estimates of errors, checks, verification, profiles."""
