"""External integrators (SciPy, SUNDIALS) with the interface of internal steps."""
