"""Beams as users state them: line, section, material, loads, and the elements that follow."""
