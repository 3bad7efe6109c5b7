"""Elementary functions for statements; SymPy is imported only when one is used."""

from mbdgen.kinematics.vectors import Expr


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
