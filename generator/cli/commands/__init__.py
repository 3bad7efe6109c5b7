"""Commands: one module each, imported only when the command line runs."""
