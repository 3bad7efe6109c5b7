"""A page on this machine around the command line: pick a model, run it, see it move."""
