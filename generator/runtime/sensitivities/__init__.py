"""Sensitivity analysis: exact derivatives with respect to parameters and initial conditions."""
