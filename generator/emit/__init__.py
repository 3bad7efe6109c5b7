"""From equations and tables to source text: printers, rendering, compilation and its cache."""
