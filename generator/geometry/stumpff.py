r"""Stumpff functions: smooth parts of sine and cosine, regular at zero angle.

.. math:: c_k(x) = \sum_{i \ge 0} \frac{(-x)^i}{(k + 2 i)!}, \qquad
    c_0 = \cos\theta, \quad c_1 = \frac{\sin\theta}{\theta}, \quad
    c_2 = \frac{1 - \cos\theta}{\theta^2} \quad (x = \theta^2)

They are entire, and each derivative is a combination of two others, :math:`c_k' = \tfrac12 (k\,
c_{k+2} - c_{k+1})`, so all derivatives are exact also at zero.
"""

from math import factorial

from mbdgen.geometry.symbolic_vectors import Expr


def stumpff(k: int, x: Expr) -> Expr:
    """Return the Stumpff function of order `k` at ``x >= 0``."""
    from mbdgen.geometry.stumpff_function import Stumpff

    return Stumpff(k, x)


SERIES = 10
"""Functions of this order or higher are summed; the others follow: ``c_k = 1/k! - x c_{k+2}``."""
TERMS = 16
"""Number of terms for machine precision at angles up to a full turn."""


def scheme(k: int) -> tuple[float | None, list[float]]:
    """Return start (None for ``c_{k+2}``) and coefficients of Horner's rule ``c - x y``."""
    if k < SERIES:
        return None, [1.0 / factorial(k)]
    last, *others = (1.0 / factorial(k + 2 * i) for i in reversed(range(TERMS + 1)))
    return last, others


def value(k: int, x: float) -> float:
    """Return the value of the Stumpff function of order `k`."""
    start, coefficients = scheme(k)
    total = value(k + 2, x) if start is None else start
    for c in coefficients:
        total = c - x * total
    return total
