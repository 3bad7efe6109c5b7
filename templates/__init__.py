"""Jinja2 templates of the backends: one folder each, loops and headers without mathematics."""
