"""Algebra engines: SymPy, or symengine if installed, with identical results.

An engine provides symbols and partial derivatives; the chain rule is in `tape`.
"""

from typing import Any, Protocol

import sympy

from mbdgen.errors import OptionError, meant
from mbdgen.geometry.symbolic_vectors import Expr


class Engine(Protocol):
    """Protocol of an algebra system, as used by the tape."""

    name: str

    def symbol(self, name: str) -> Expr:
        """Return a real symbol."""
        ...

    def convert(self, expr: Any) -> Expr:
        """Convert a SymPy expression to the engine."""
        ...

    def partial(self, expr: Expr, symbol: Expr) -> Expr:
        """Return the exact partial derivative."""
        ...

    def free(self, expr: Expr) -> list[Expr]:
        """Return the symbols of an expression, sorted by name (sets are not deterministic)."""
        ...

    def to_sympy(self, expr: Expr) -> Any:
        """Return the expression in SymPy: the form that is printed and stored."""
        ...


class SympyEngine:
    """Engine in pure SymPy: always available."""

    name = "sympy"

    def symbol(self, name: str) -> Expr:
        """Return a real symbol (real, so that derivatives of roots stay free of ``re``)."""
        return sympy.Symbol(name, real=True)

    def convert(self, expr: Any) -> Expr:
        """Bring numbers and SymPy expressions into the engine."""
        return sympy.sympify(expr)

    def partial(self, expr: Expr, symbol: Expr) -> Expr:
        """Return the exact partial derivative."""
        return sympy.diff(expr, symbol)

    def free(self, expr: Expr) -> list[Expr]:
        """Return the symbols of an expression, sorted by name."""
        return sorted(sympy.sympify(expr).free_symbols, key=str)

    def to_sympy(self, expr: Expr) -> Any:
        """Return the expression itself."""
        return sympy.sympify(expr)


_KINKED = ("Abs", "Max", "Min", "sign", "floor", "ceiling")


class SymengineEngine:
    """Engine in symengine, roughly a hundred times faster on large expressions."""

    name = "symengine"

    def __init__(self) -> None:
        try:
            import symengine
        except ImportError as error:
            raise OptionError(
                "The engine 'symengine' is not installed.",
                "Install it with: python -m pip install 'mbdgen[fast]', or use --engine sympy.",
            ) from error
        self._symengine = symengine
        # It leaves their derivatives unevaluated, or silently treats them as constants.
        unknown = type(symengine.sympify(sympy.Heaviside(sympy.Symbol("x"))))
        self._left_to_sympy = (*(getattr(symengine, f) for f in _KINKED), unknown)

    def symbol(self, name: str) -> Expr:
        """Return a symbol."""
        return self._symengine.Symbol(name)

    def convert(self, expr: Any) -> Expr:
        """Bring numbers and SymPy expressions into the engine."""
        return self._symengine.sympify(expr)

    def partial(self, expr: Expr, symbol: Expr) -> Expr:
        """Return the exact partial derivative."""
        if self._symengine.sympify(expr).atoms(*self._left_to_sympy):
            real = sympy.Symbol(str(symbol), real=True)
            return self.convert(sympy.diff(self.to_sympy(expr), real))
        return self._symengine.diff(expr, symbol)

    def free(self, expr: Expr) -> list[Expr]:
        """Return the symbols of an expression, sorted by name."""
        return sorted(self._symengine.sympify(expr).free_symbols, key=str)

    def to_sympy(self, expr: Expr) -> Any:
        """Return the expression in SymPy's canonical order, so that both engines print alike."""
        converted = sympy.sympify(expr)
        real = {s: sympy.Symbol(s.name, real=True) for s in converted.free_symbols}
        return converted.xreplace(real)


ENGINES: dict[str, type[SympyEngine] | type[SymengineEngine]] = {
    "sympy": SympyEngine,
    "symengine": SymengineEngine,
}


def make_engine(name: str) -> Engine:
    """Return the engine of that name.

    Raises
    ------
    OptionError
        If the name is unknown or the package is missing.
    """
    if name not in ENGINES:
        raise OptionError(
            f"Unknown engine {name!r}.",
            meant(name, ENGINES, f"Choose one of: {', '.join(ENGINES)}."),
        )
    return ENGINES[name]()
