"""Consistent initial conditions: positions, velocities, accelerations and Lagrange multipliers."""
