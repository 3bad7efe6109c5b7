"""A mechanism that can be evaluated: its data, kernels, workspaces, and how modules are loaded."""
