"""Analyses without time integration: mobility, kinematics, statics, linearisation, modes."""
