"""Results: series and expressions of them, motion of bodies and beams, dense output, files."""
