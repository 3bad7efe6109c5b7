"""Heun's method: Euler's step corrected by the mean of the slopes at both ends, order 2."""

from mbdgen.runtime.steps.runge_kutta_step import explicit_method

METHOD = explicit_method(
    "heun",
    order=2,
    matrix=((1,),),
    weights=(1 / 2, 1 / 2),
    text="explicit, mean of the slopes at both ends of the step, order 2",
    source="K. Heun: Neue Methoden zur approximativen Integration der Differentialgleichungen "
    "einer unabhaengigen Veraenderlichen, Z. Math. Phys. 45 (1900) 23-38.",
)
