"""Points and axes that joints and forces attach to, fixed or moving along paths."""
