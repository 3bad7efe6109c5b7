"""Runtime of generated modules: simulation of multibody systems, without SymPy or Jinja2."""
