"""Elementary functions for statements; SymPy is imported only when one is used.

Use them instead of those of `math` and NumPy, and `Piecewise` instead of ``if``: quantities of
frames are symbolic expressions, not numbers.
"""

from typing import Any

from mbdgen.geometry.symbolic_vectors import Expr


def sin(x: Expr) -> Expr:
    """Sine."""
    import sympy

    return sympy.sin(x)


def cos(x: Expr) -> Expr:
    """Cosine."""
    import sympy

    return sympy.cos(x)


def atan2(y: Expr, x: Expr) -> Expr:
    """Four-quadrant arctangent: angle of the point (x, y)."""
    import sympy

    return sympy.atan2(y, x)


def sqrt(x: Expr) -> Expr:
    """Square root."""
    import sympy

    return sympy.sqrt(x)


def exp(x: Expr) -> Expr:
    """Exponential."""
    import sympy

    return sympy.exp(x)


def log(x: Expr) -> Expr:
    """Natural logarithm."""
    import sympy

    return sympy.log(x)


def tanh(x: Expr) -> Expr:
    """Hyperbolic tangent, for example of ``v/v_0``: a regularised sign."""
    import sympy

    return sympy.tanh(x)


def rational(p: int, q: int) -> Expr:
    """Exact fraction p/q, for exponents: derivatives of such powers have no removable 0/0."""
    import sympy

    return sympy.Rational(p, q)


def Abs(x: Expr) -> Expr:
    """Absolute value."""
    import sympy

    return sympy.Abs(x)


def sign(x: Expr) -> Expr:
    """Sign: 1, -1, or 0 at 0."""
    import sympy

    return sympy.sign(x)


def Max(*x: Expr) -> Expr:
    """Maximum; where two arguments are equal, the derivative is the mean of theirs."""
    import sympy

    return sympy.Max(*x)


def Min(*x: Expr) -> Expr:
    """Minimum; where two arguments are equal, the derivative is the mean of theirs."""
    import sympy

    return sympy.Min(*x)


def Piecewise(*cases: tuple[Expr, Any]) -> Expr:
    """Piecewise expression: the first (expression, condition) that holds; end with True."""
    import sympy

    return sympy.Piecewise(*cases)
