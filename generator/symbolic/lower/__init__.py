"""From derived types to a whole mechanism: numbering, tables, pattern, layout."""
