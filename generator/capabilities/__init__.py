"""Capabilities: the table of supported combinations, from the limits that every part declares."""
