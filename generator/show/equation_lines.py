"""Equations in coordinates, with named intermediate results expanded or defined."""

from collections.abc import Iterable
from typing import Any

import sympy
from sympy.printing.latex import LatexPrinter
from sympy.printing.str import StrPrinter

from mbdgen.show.document import EquationLine
from mbdgen.symbolic.statement.element_context import ElementContext

SHORT, SHORT_DERIVATIVE = 3, 40
"""Operations up to which a named intermediate result is expanded instead of defined."""

_GREEK = {
    name: rf"\{name}" for name in ("alpha", "beta", "gamma", "delta", "theta", "phi", "omega", "mu")
} | {"lam": r"\lambda"}


class _Text(StrPrinter):
    """SymPy's text with numbers that round-trip exactly."""

    def _print_Float(self, expr: Any) -> str:
        return repr(float(expr))


class _Latex(LatexPrinter):
    """SymPy's LaTeX with numbers that round-trip exactly."""

    def _print_Float(self, expr: Any) -> str:
        digits, e, power = repr(float(expr)).partition("e")
        return rf"{digits} \cdot 10^{{{int(power)}}}" if e else digits


class EquationLines:
    """Collects expressions of one element; `finish` appends definitions of the names in them.

    Parameters
    ----------
    context : ElementContext
        Element with the tape of named results.
    """

    def __init__(self, context: ElementContext) -> None:
        self.context = context
        self._lines: list[EquationLine] = []
        self._shown: list[Any] = []
        self._known: dict[Any, Any] = {}

    def add(self, title: str, name: str, name_in_latex: str, expr: Any, tail: str = "") -> None:
        """Add a line unless the expression is zero."""
        engine = self.context.engine
        e = self._written_out(engine.to_sympy(engine.convert(expr)))
        if e != 0:
            self._shown.append(e)
            text = f"{name}{plain(e)}{tail}"
            self._lines.append(EquationLine(title, text, f"{name_in_latex}{latex(e)}{tail}"))

    def equation(self, title: str, left: Any, right: Any) -> None:
        """Add an equation."""
        engine = self.context.engine
        sides = [self._written_out(engine.to_sympy(engine.convert(x))) for x in (left, right)]
        self._shown += sides
        text, formula = (" = ".join(map(show, sides)) for show in (plain, latex))
        self._lines.append(EquationLine(title, text, formula))

    def at_rest(self, expr: Any) -> Any:
        """Return an expression for zero accelerations: names that contain them are resolved."""
        tape, engine = self.context.tape, self.context.engine
        zero = dict.fromkeys(self.context.all("a"), 0)
        e = engine.convert(expr)
        inner = {
            s: self.at_rest(tape.definitions[s])
            for s in tape.free(e)
            if s in tape.definitions and any(tape.derivative(s, a) != 0 for a in zero)
        }
        return e.subs({**inner, **zero})

    def finish(self) -> list[EquationLine]:
        """Return all lines, and the definitions they need, in the order of creation."""
        definitions = self._definitions()
        needed: set[Any] = set()
        waiting = _symbols(self._shown)
        while waiting:
            s = waiting.pop()
            if s in definitions and s not in needed:
                needed.add(s)
                waiting += _symbols([self._written_out(definitions[s])])
        meaning = [(s, self._written_out(e)) for s, e in definitions.items() if s in needed]
        return self._lines + [
            EquationLine("with", f"{s} = {plain(e)}", f"{latex(s)} = {latex(e)}")
            for s, e in meaning
        ]

    def _definitions(self) -> dict[Any, Any]:
        convert = self.context.engine.to_sympy
        return {convert(s): convert(e) for s, e in self.context.tape.definitions.items()}

    def _written_out(self, e: Any) -> Any:
        """Expand short results and derivatives."""
        definitions = self._definitions()
        return e.xreplace(
            {s: self._meaning(s, definitions) for s in e.free_symbols if s in definitions}
        )

    def _meaning(self, s: Any, definitions: dict[Any, Any]) -> Any:
        if s not in self._known:
            e = definitions[s]
            # Independent statements may define the same name twice.
            named = next(name for name, x in definitions.items() if x == e)
            inner = {x: self._meaning(x, definitions) for x in e.free_symbols if x in definitions}
            e = e.xreplace(inner)
            limit = SHORT_DERIVATIVE if "_by_" in s.name else SHORT
            self._known[s] = e if sympy.count_ops(e) <= limit else named
        return self._known[s]


def plain(expr: Any) -> str:
    """Return an expression as text, with the shortest exact numbers."""
    return str(_Text().doprint(sympy.sympify(expr)))


def with_whole_numbers(expr: Any) -> Any:
    """Replace integral floats by integers, which simplify."""
    e = sympy.sympify(expr)
    whole = {x: sympy.Integer(int(x)) for x in e.atoms(sympy.Float) if float(x).is_integer()}
    return sympy.expand(e.xreplace(whole)) if whole else e


def latex(expr: Any) -> str:
    """Return an expression, or a name of the tape, in conventional LaTeX."""
    if isinstance(expr, str):
        return _name(expr)
    e = sympy.sympify(expr)
    names = {s: _name(s.name) for s in e.free_symbols}
    return str(_Latex({"symbol_names": names}).doprint(e))


def _name(name: str) -> str:
    r"""Return a name of the tape in LaTeX: ``x_a_dot`` is :math:`\dot{x}_{a}`."""
    head, *tail = name.removeprefix("par_").split("_")
    if "by" in tail:
        escaped = name.replace("_", r"\_")
        return rf"\mathrm{{{escaped}}}"
    dots = {"dot": r"\dot", "ddot": r"\ddot"}.get(tail[-1] if tail else "", "")
    if dots:
        tail = tail[:-1]
    letters = head.rstrip("0123456789")
    if letters and letters != head:
        tail.insert(0, head[len(letters) :])
    letters = letters or head
    stem = _GREEK.get(letters, letters if len(letters) == 1 else rf"\mathit{{{letters}}}")
    stem = f"{dots}{{{stem}}}" if dots else stem
    below = ",".join(_GREEK.get(part, _upright(part)) for part in tail if part)
    return f"{stem}_{{{below}}}" if below else stem


def _upright(part: str) -> str:
    """Return a subscript: letters and numbers in italics, words upright."""
    return part if len(part) == 1 or part[0].isdigit() else rf"\mathrm{{{part}}}"


def _symbols(expressions: Iterable[Any]) -> list[Any]:
    return [s for e in expressions for s in e.free_symbols]
