"""Work-precision of the generated solvers on standard problems, beside another program."""
