"""Classical Runge-Kutta method of order 4."""

from mbdgen.runtime.explicit import explicit_method
from mbdgen.runtime.tableau import CLASSICAL

MATRIX, WEIGHTS = CLASSICAL
METHOD = explicit_method(
    "rk4",
    order=4,
    matrix=MATRIX,
    weights=WEIGHTS,
    text="four stages, the classical one",
    source="W. Kutta: Beitrag zur naeherungsweisen Integration totaler Differentialgleichungen, "
    "Z. Math. Phys. 46 (1901) 435-453.",
)
