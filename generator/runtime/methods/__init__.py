"""What a user chooses: methods, formulations, projections, options, and what goes together."""
