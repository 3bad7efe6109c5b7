"""User interface of beams: line, cross-section, material, loads, and the elements generated."""
