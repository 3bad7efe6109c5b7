"""Results: series, expressions, files, plots."""
