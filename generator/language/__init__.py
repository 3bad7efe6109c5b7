"""Modelling language: the model, its bodies, markers, parameters, functions and outputs."""
