"""Names of the solvers of external libraries, in the order of their option values."""

SCIPY = ("RK45", "RK23", "DOP853", "Radau", "BDF", "LSODA")
CVODE = ("BDF", "Adams")
IDA = ("no", "ggl")
