"""Integrators, formulations, projections, sensitivities and groups on mechanisms."""
