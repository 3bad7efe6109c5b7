"""Runge-Kutta method of order 5 by Dormand and Prince (1980), with a pair of order 4."""

from mbdgen.runtime.steps.runge_kutta_step import explicit_method

METHOD = explicit_method(
    "dopri5",
    order=5,
    matrix=(
        (1 / 5,),
        (3 / 40, 9 / 40),
        (44 / 45, -56 / 15, 32 / 9),
        (19372 / 6561, -25360 / 2187, 64448 / 6561, -212 / 729),
        (9017 / 3168, -355 / 33, 46732 / 5247, 49 / 176, -5103 / 18656),
    ),
    weights=(35 / 384, 0, 500 / 1113, 125 / 192, -2187 / 6784, 11 / 84),
    text="six stages, small error constant",
    source="J. R. Dormand, P. J. Prince: A family of embedded Runge-Kutta formulae, "
    "J. Comput. Appl. Math. 6 (1980) 19-26.",
    # Weights of order 5 minus those of order 4, which use the slope at the end too.
    errors=((71 / 57600, 0, -71 / 16695, 71 / 1920, -17253 / 339200, 22 / 525, -1 / 40),),
    power=5,
)
