"""Modal analysis and reduction of flexible bodies: straight beams, finite element matrices."""
