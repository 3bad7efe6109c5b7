"""Code of structural groups: from a decomposition to members, kernels, text, module."""
