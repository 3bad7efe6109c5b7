"""Local web page around the command line: choose a model, run it, watch its animation."""
