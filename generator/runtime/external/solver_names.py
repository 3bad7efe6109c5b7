"""Names of the choices that libraries offer, in the order of the numbers that schemes hold."""

SCIPY = ("RK45", "RK23", "DOP853", "Radau", "BDF", "LSODA")
CVODE = ("BDF", "Adams")
IDA = ("no", "ggl")
