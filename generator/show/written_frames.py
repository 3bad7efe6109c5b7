"""Vectors and frames in vector notation, to show a statement instead of deriving it.

A joint or force states its equations with these in the same way as with real frames, but
``a.e3.dot(b.e1)`` stays one symbol, printed ``(e3_a·e1_b)``; components appear only if the
statement uses one.
"""

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Any

import sympy

from mbdgen.geometry.symbolic_vectors import Expr, Vec

LETTERS = "xyz"


class Notation:
    """LaTeX of every symbol, and the names given by statements to intermediate results."""

    def __init__(self) -> None:
        self.latex: dict[Any, str] = {}
        self.components: dict[Any, tuple[Arrow, int]] = {}
        self.definitions: dict[Any, Any] = {}

    def symbol(self, text: str, latex: str) -> Any:
        """Return a symbol with this text and LaTeX."""
        found = sympy.Symbol(text, real=True)
        self.latex[found] = latex
        return found

    def name(self, label: str, expr: Expr) -> Expr:
        """Name an intermediate result, as `mbdgen.symbolic.derive.tape.Tape.name` does."""
        symbol = self.symbol(label, label.replace("_", r"\_") if len(label) > 1 else label)
        self.definitions[symbol] = sympy.sympify(expr)
        return symbol

    def angle(self, modulo: Expr, jumps: bool = False) -> Expr:
        """Return an angle without the count of its turns."""
        return modulo

    def in_latex(self, expr: Any) -> str:
        """Return an expression in LaTeX."""
        return str(sympy.latex(expr, symbol_names=self.latex))

    def vector(self, text: str, latex: str) -> "Arrow":
        """Return a vector of this name."""
        return Arrow(self, {(text, latex): sympy.Integer(1)})


class Arrow:
    """A sum of named vectors with scalar factors.

    Parameters
    ----------
    notation : Notation
        Registry of its symbols.
    terms : mapping of (text, latex) to factor
        Terms of the sum.
    """

    def __init__(self, notation: Notation, terms: Mapping[tuple[str, str], Any]) -> None:
        self.notation = notation
        self.terms = {name: factor for name, factor in terms.items() if factor != 0}

    def __add__(self, other: Any) -> "Arrow":
        terms = dict(self.terms)
        for name, factor in self._arrow(other).terms.items():
            terms[name] = terms.get(name, sympy.Integer(0)) + factor
        return Arrow(self.notation, terms)

    def __neg__(self) -> "Arrow":
        return self * -1

    def __sub__(self, other: Any) -> "Arrow":
        return self + -self._arrow(other)

    def __mul__(self, factor: Any) -> "Arrow":
        factor = _plain(factor)
        return Arrow(self.notation, {name: x * factor for name, x in self.terms.items()})

    __rmul__ = __mul__

    def __truediv__(self, divisor: Any) -> "Arrow":
        return self * (1 / sympy.sympify(divisor))

    def __iter__(self) -> Iterator[Any]:
        return (self[k] for k in range(3))

    def __getitem__(self, k: int) -> Any:
        symbol = self.notation.symbol(
            f"{self.text(True)}_{LETTERS[k]}", f"{self.latex(True)}_{LETTERS[k]}"
        )
        self.notation.components[symbol] = (self, k)
        return symbol

    def dot(self, other: Any) -> Any:
        """Scalar product; of a vector with itself, its square."""
        other = self._arrow(other)
        if not self.terms or not other.terms:
            return sympy.Integer(0)
        if self.terms == other.terms:
            return self.norm() ** 2
        return self.notation.symbol(
            f"({self.text(True)}·{other.text(True)})",
            rf"({self.latex(True)} \cdot {other.latex(True)})",
        )

    def cross(self, other: Any) -> "Arrow":
        """Vector product."""
        other = self._arrow(other)
        if not self.terms or not other.terms:
            return Arrow(self.notation, {})
        text = f"({self.text(True)} × {other.text(True)})"
        return self.notation.vector(text, rf"({self.latex(True)} \times {other.latex(True)})")

    def norm(self) -> Any:
        """Length."""
        return self.notation.symbol(f"|{self.text()}|", rf"\left|{self.latex()}\right|")

    def direction(self) -> "Arrow":
        """Return the vector divided by its length."""
        return self / self.norm()

    def text(self, factor: bool = False) -> str:
        """Return the sum as text, in parentheses if it is a factor."""
        return _sum([(n, f) for (n, _), f in self.terms.items()], str, "*", factor)

    def latex(self, factor: bool = False) -> str:
        """Return the sum as LaTeX."""
        pairs = [(n, f) for (_, n), f in self.terms.items()]
        return _sum(pairs, self.notation.in_latex, " ", factor)

    def _arrow(self, other: Any) -> "Arrow":
        if isinstance(other, Arrow):
            return other
        components = list(other)
        if all(c == 0 for c in components):
            return Arrow(self.notation, {})
        text = f"({', '.join(map(str, components))})"
        return self.notation.vector(text, text)


class WrittenFrame:
    """Frame with the interface of real frames, in vector notation.

    Parameters
    ----------
    label : str
        Letter of the frame.
    notation : Notation
        Registry of its symbols.
    """

    def __init__(self, label: str, notation: Notation) -> None:
        self.label, self.tape = label, notation
        self.body = self  # tested by statements that need a body
        self.turns = True  # tested by statements that need an orientation

    def check_turning(self) -> None:
        """Accept: the frame has an orientation."""

    def axis(self, k: int) -> Arrow:
        """Return axis number k."""
        return self._vector(f"e{k + 1}", rf"\mathbf{{e}}_{{{k + 1}{self.label}}}")

    @cached_property
    def r(self) -> Arrow:
        """Position."""
        return self._vector("r", rf"\mathbf{{r}}_{self.label}")

    @cached_property
    def v(self) -> Arrow:
        """Velocity."""
        return self._vector("v", rf"\mathbf{{v}}_{self.label}")

    @cached_property
    def acceleration(self) -> Arrow:
        """Acceleration."""
        return self._vector("acc", rf"\mathbf{{a}}_{self.label}")

    @cached_property
    def w(self) -> Arrow:
        """Angular velocity."""
        return self._vector("ω", rf"\boldsymbol{{\omega}}_{self.label}")

    @property
    def e1(self) -> Arrow:
        """First axis."""
        return self.axis(0)

    @property
    def e2(self) -> Arrow:
        """Second axis."""
        return self.axis(1)

    @property
    def e3(self) -> Arrow:
        """Third axis."""
        return self.axis(2)

    def _vector(self, letter: str, latex: str) -> Arrow:
        return self.tape.vector(f"{letter}_{self.label}", latex)


def vector_text(vector: Any, notation: Notation) -> tuple[str, str]:
    """Return text and LaTeX of a vector of either kind."""
    if isinstance(vector, Arrow):
        return vector.text(), vector.latex()
    components = list(Vec.of(vector))
    latex = (notation.in_latex(sympy.sympify(c)) for c in components)
    return f"({', '.join(map(str, components))})", f"({', '.join(latex)})"


def _plain(number: Any) -> Any:
    """Return an expression with integral floats replaced by integers, which print better."""
    e = sympy.sympify(number)
    return sympy.Integer(int(e)) if e.is_Float and float(e).is_integer() else e


def _sum(pairs: list[tuple[str, Any]], show: Any, times: str, factor: bool) -> str:
    if not pairs:
        return "0"
    parts = []
    for name, x in sorted(pairs, key=lambda pair: pair[1] == -1):
        if x == 1:
            parts.append(f"+ {name}")
        elif x == -1:
            parts.append(f"- {name}")
        else:
            shown = show(x)
            shown = f"({shown})" if x.is_Add else shown
            sign = "-" if shown.startswith("-") else "+"
            parts.append(f"{sign} {shown.lstrip('-')}{times}{name}")
    text = " ".join(parts)
    text = text[2:] if text.startswith("+ ") else text.replace("- ", "-", 1)
    alone = len(pairs) == 1 and pairs[0][1] == 1
    return text if alone or not factor else f"({text})"
