"""Work-precision benchmarks of the generated solvers, also against another program."""
