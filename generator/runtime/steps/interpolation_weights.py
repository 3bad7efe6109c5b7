"""Weights of Lagrange interpolation, for integration and differentiation (Adams, BDF).

``L_j(s) = prod_(i != j) (s - s_i)/(s_j - s_i)`` is the Lagrange polynomial: 1 at the instant
``s_j`` and 0 at the others; instants are measured in steps from the present one, the new one is ``s
= 1``.
"""

import numpy as np

from mbdgen.runtime.program.compiled_functions import internal
from mbdgen.runtime.system.system_data import FloatArray


@internal
def _integral_of_product(instants: FloatArray, left_out: int) -> float:
    """``int_0^1 prod (s - s_i) ds`` over all instants but ``left_out`` (-1: over all)."""
    powers = np.zeros(len(instants) + 1)
    powers[0], degree = 1.0, 0
    for i in range(len(instants)):
        if i != left_out:
            degree += 1
            for p in range(degree, 0, -1):
                powers[p] = powers[p - 1] - instants[i] * powers[p]
            powers[0] *= -instants[i]
    total = 0.0
    for p in range(degree + 1):
        total += powers[p] / (p + 1.0)
    return total


@internal
def integral_weights(instants: FloatArray, weights: FloatArray) -> float:
    """``weights[j] <- int_0^1 L_j ds``; return ``e = int_0^1 prod_i (s - s_i) ds``.

    With ``k`` instants the local error is ``e h^(k+1) f^(k)/k!``.
    """
    for j in range(len(instants)):
        scale = 1.0
        for i in range(len(instants)):
            if i != j:
                scale *= instants[j] - instants[i]
        weights[j] = _integral_of_product(instants, j) / scale
    return _integral_of_product(instants, -1)


@internal
def slope_weights(instants: FloatArray, weights: FloatArray) -> None:
    """``weights[j] <- L_j'(s_0)``, weights of the derivative at the first instant."""
    weights[0] = 0.0
    for j in range(1, len(instants)):
        weights[0] += 1.0 / (instants[0] - instants[j])
        weights[j] = 1.0 / (instants[j] - instants[0])
        for i in range(1, len(instants)):
            if i != j:
                weights[j] *= (instants[0] - instants[i]) / (instants[j] - instants[i])
