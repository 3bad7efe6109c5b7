"""Classical Runge-Kutta method of order 4."""

from mbdgen.runtime.steps.butcher_tableau import CLASSICAL
from mbdgen.runtime.steps.runge_kutta_step import explicit_method

MATRIX, WEIGHTS = CLASSICAL
METHOD = explicit_method(
    "rk4",
    order=4,
    matrix=MATRIX,
    weights=WEIGHTS,
    text="classical Runge-Kutta method, four stages",
    source="W. Kutta: Beitrag zur naeherungsweisen Integration totaler Differentialgleichungen, "
    "Z. Math. Phys. 46 (1901) 435-453.",
)
