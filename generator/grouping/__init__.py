"""From a decomposition to compiled groups: members, kernels, text, module."""
