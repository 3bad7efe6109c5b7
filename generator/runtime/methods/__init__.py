"""Choice of a scheme: integration methods, formulations, projections, options, compatibility."""
