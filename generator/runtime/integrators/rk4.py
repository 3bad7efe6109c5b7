"""Classical Runge-Kutta method of order 4."""

from mbdgen.runtime.explicit import explicit_method

METHOD = explicit_method(
    "rk4",
    order=4,
    matrix=((1 / 2,), (0, 1 / 2), (0, 0, 1)),
    weights=(1 / 6, 1 / 3, 1 / 3, 1 / 6),
    text="four stages, the classical one",
    source="W. Kutta: Beitrag zur naeherungsweisen Integration totaler Differentialgleichungen, "
    "Z. Math. Phys. 46 (1901) 435-453.",
)
