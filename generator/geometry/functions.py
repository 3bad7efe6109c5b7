"""Functions for statements; SymPy is imported only when one is used.

Those of `math` and NumPy take numbers, and an ``if`` takes a truth value: frames give expressions.
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
    """Angle of the point (x, y)."""
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
    """Hyperbolic tangent, for instance of ``v/v_0``: a sign without a jump."""
    import sympy

    return sympy.tanh(x)


def rational(p: int, q: int) -> Expr:
    """A fraction, for exponents: derivatives of such powers have no quotient by what may vanish."""
    import sympy

    return sympy.Rational(p, q)


def Abs(x: Expr) -> Expr:
    """Absolute value."""
    import sympy

    return sympy.Abs(x)


def sign(x: Expr) -> Expr:
    """1, -1, or 0 at 0."""
    import sympy

    return sympy.sign(x)


def Max(*x: Expr) -> Expr:
    """Return the largest; where two are equal, the slope is the mean of theirs."""
    import sympy

    return sympy.Max(*x)


def Min(*x: Expr) -> Expr:
    """Return the smallest; where two are equal, the slope is the mean of theirs."""
    import sympy

    return sympy.Min(*x)


def Piecewise(*cases: tuple[Expr, Any]) -> Expr:
    """Return the expression of the first (expression, condition) that holds; end with True."""
    import sympy

    return sympy.Piecewise(*cases)
