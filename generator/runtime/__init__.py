"""Everything a generated module needs to run; imports neither SymPy nor Jinja2."""
