"""From a statement to the equations of its element type: virtual work and exact derivatives."""
