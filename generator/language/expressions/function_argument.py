"""Functions as arguments of joints and forces: ``curve=lambda s: (cos(s), sin(s), 0)``.

A field whose default is a `Function` takes one. It is called once, with symbols for its arguments;
while equations are derived, calling the field substitutes expressions for them.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from mbdgen.errors import ModelError
from mbdgen.language.expressions.scalars import as_scalar, entries, shown


@dataclass(frozen=True)
class Function:
    """Expressions of named arguments.

    Attributes
    ----------
    arguments : tuple of str
        Their names.
    size : int
        Number of components; 1 of a scalar function.
    values : tuple
        The expressions; empty in the default of a field.
    """

    arguments: tuple[str, ...]
    size: int = 1
    values: tuple[Any, ...] = ()

    def __call__(self, *given: Any) -> Any:
        """Return the expression, or the list of them, at these arguments."""
        substitutes = dict(zip(map(_mark, self.arguments), given, strict=True))
        found = [_put(e, substitutes) for e in self.values]
        return found[0] if self.size == 1 else found

    def derivative(self) -> "Function":
        """Return the derivative with respect to the first argument as a function."""
        return self.mapped(lambda e: _slope(e, _mark(self.arguments[0])))

    def __str__(self) -> str:
        texts = ", ".join(str(e).replace(_SIGN, "") for e in self.values)
        return f"({', '.join(self.arguments)}) -> ({texts})"

    def mapped(self, change: Callable[[Any], Any]) -> "Function":
        """Return the function with a mapping applied to its expressions."""
        return replace(self, values=tuple(map(change, self.values)))

    def of(self, given: Any, what: str) -> "Function":
        """Return a function from a callable, a number or an expression."""
        import sympy

        symbols = [sympy.Symbol(_mark(name), real=True) for name in self.arguments]
        value = self._called(given, symbols, what) if callable(given) else given
        listed = entries(value)
        parts = (value,) if listed is None else tuple(listed)
        if len(parts) != self.size or (listed is not None and self.size == 1):
            wanted = "a number" if self.size == 1 else f"{self.size} numbers"
            raise ModelError(f"{what} gives {shown(value)}.", f"It must give {wanted}.")
        return replace(self, values=tuple(as_scalar(x, what) for x in parts))

    def _called(self, given: Callable[..., Any], symbols: list[Any], what: str) -> Any:
        try:
            return given(*symbols)
        except Exception as error:  # a user's own function may raise anything
            raise ModelError(
                f"{what} stopped with {type(error).__name__}: {error}.",
                f"It is called with symbols for {', '.join(self.arguments)}: take functions of "
                "SymPy or mbdgen.language.expressions.scalars instead of those of math and NumPy.",
            ) from error


CURVE = Function(("s",), 3)
PLANE_CURVE = Function(("s",), 2)
"""Curves of one parameter, in space and in a plane."""
DEVICE = Function(("x", "v"), 1, (0,))
"""Force law of a deflection and its rate; zero by default."""


def is_argument(symbol: object) -> bool:
    """Return whether a symbol is an argument of a `Function`."""
    return str(symbol).startswith(_SIGN)


_SIGN = "#"  # prefix that no name of a user has


def _mark(name: str) -> str:
    return f"{_SIGN}{name}"


def _slope(expression: Any, name: str) -> Any:
    """Return the derivative with respect to the symbol of that name."""
    free = getattr(expression, "free_symbols", ())
    found = [s for s in sorted(free, key=str) if str(s) == name]
    return expression.diff(found[0]) if found else 0


def _put(expression: Any, substitutes: dict[str, Any]) -> Any:
    """Substitute expressions for arguments; symbols of any engine are identified by name."""
    free = getattr(expression, "free_symbols", ())
    values = {s: substitutes[str(s)] for s in sorted(free, key=str) if str(s) in substitutes}
    return expression.subs(values) if values else expression
