"""Rolling, gears, and constraints of velocities."""
