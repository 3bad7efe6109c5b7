"""Rolling without slip, gears, and other nonholonomic constraints."""
