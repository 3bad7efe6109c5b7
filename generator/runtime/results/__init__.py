"""Results: named series, expressions, motion of bodies and beams, dense output, export."""
