"""Gauss-Legendre quadrature on the unit interval."""

import numpy as np
from numpy.typing import NDArray


def gauss(count: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return points and weights of Gauss-Legendre quadrature on [0, 1]; the weights sum to 1."""
    x, weights = np.polynomial.legendre.leggauss(count)
    return (1 + x) / 2, weights / 2
