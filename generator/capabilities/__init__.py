"""What works with what: the table of all combinations, from the limits that every part declares."""
