"""Lowering: from derived types to a whole mechanism: numbering, tables, sparsity, layout."""
