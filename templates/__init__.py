"""The templates of the backends: one folder each, loops and headers without any mathematics."""
