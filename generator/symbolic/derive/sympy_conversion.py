"""Conversion of SymPy expressions to the graph."""

from collections.abc import Mapping, Sequence
from typing import Any

import sympy

from mbdgen.errors import BuildError
from mbdgen.geometry.stumpff import scheme
from mbdgen.geometry.stumpff_function import Stumpff
from mbdgen.language.expressions.piecewise_index import Chosen, Rounds
from mbdgen.symbolic.ir.graph import GraphBuilder

_CALLS = {
    sympy.sin: "sin",
    sympy.cos: "cos",
    sympy.tan: "tan",
    sympy.asin: "asin",
    sympy.acos: "acos",
    sympy.atan: "atan",
    sympy.atan2: "atan2",
    sympy.sinh: "sinh",
    sympy.cosh: "cosh",
    sympy.tanh: "tanh",
    sympy.exp: "exp",
    sympy.log: "log",
    sympy.Abs: "abs",
    sympy.sign: "sign",
    Rounds: "floor",
}
_RECIPROCALS = {
    sympy.cot: "tan",
    sympy.sec: "cos",
    sympy.csc: "sin",
    sympy.coth: "tanh",
    sympy.sech: "cosh",
    sympy.csch: "sinh",
}
_RELATIONS = {
    sympy.StrictLessThan: ("lt", False),
    sympy.LessThan: ("le", False),
    sympy.StrictGreaterThan: ("lt", True),
    sympy.GreaterThan: ("le", True),
    sympy.Equality: ("eq", False),
}


class Converter:
    """Converter of expressions to nodes of a builder; equal expressions are converted once.

    Parameters
    ----------
    builder : GraphBuilder
        Graph of the nodes.
    definitions : mapping of symbol to expression
        Named intermediate results, converted on demand.
    """

    def __init__(self, builder: GraphBuilder, definitions: Mapping[Any, Any] | None = None) -> None:
        self.builder = builder
        self._definitions = definitions or {}
        self._known: dict[Any, int] = {}

    def node(self, expr: Any) -> int:
        """Return the node of an expression; undefined symbols become inputs."""
        expr = sympy.sympify(expr)
        if expr not in self._known:
            self._known[expr] = self._make(expr)
        return self._known[expr]

    def _make(self, expr: Any) -> int:
        b = self.builder
        if expr.is_Symbol:
            if expr not in self._definitions:
                return b.input(expr.name)
            k = self.node(self._definitions[expr])
            b.label(k, expr.name)
            return k
        if expr.is_number and not expr.free_symbols:
            return b.const(_real(expr))
        if expr.is_Add:
            return b.total([self.node(e) for e in expr.args])
        if expr.is_Mul:
            return self._product(expr)
        if expr.is_Pow:
            return self._power(expr)
        if isinstance(expr, sympy.Piecewise):
            return self._piecewise(expr)
        if isinstance(expr, sympy.Min | sympy.Max):
            return self._extreme(expr)
        if type(expr) in _RELATIONS:
            relation, swap = _RELATIONS[type(expr)]
            a, c = (self.node(e) for e in expr.args)
            return b.compare(relation, c, a) if swap else b.compare(relation, a, c)
        if expr.func in _CALLS:
            return b.call(_CALLS[expr.func], *(self.node(e) for e in expr.args))
        if expr.func in _RECIPROCALS:
            function = b.call(_RECIPROCALS[expr.func], self.node(expr.args[0]))
            return b.div(b.const(1.0), function)
        if isinstance(expr, Stumpff):
            return self._stumpff(int(expr.args[0]), expr.args[1])
        if isinstance(expr, Chosen):
            return self._chosen(self.node(expr.args[0]), expr.borders, expr.numbers)
        if isinstance(expr, sympy.Heaviside):
            return self._step(*expr.args)
        if isinstance(expr, sympy.DiracDelta):
            return b.const(0.0)  # a derivative at a jump in the matrix: see `check_smooth`
        raise BuildError(
            f"The expression {expr} uses {expr.func.__name__!r}, which generated code cannot "
            f"evaluate.",
            "Use elementary functions, Piecewise, Min, Max, Abs or sign.",
        )

    def _product(self, expr: Any) -> int:
        """Return a product, with factors of negative exponents in one denominator."""
        b = self.builder
        above, below = b.const(1.0), b.const(1.0)
        for factor in _without_quotients_of_zeros(expr.args):
            base, exponent = factor.as_base_exp()
            if factor.is_Pow and exponent.is_number and exponent.is_negative:
                below = b.mul(below, self.node(sympy.Pow(base, -exponent)))
            elif factor.is_Rational and not factor.is_Integer:
                above = b.mul(above, b.const(float(factor)))
            else:
                above = b.mul(above, self.node(factor))
        if not _is_slope_of_clipped(expr.args):
            return b.div(above, below)
        zero, one = b.const(0.0), b.const(1.0)
        at_rest = b.compare("eq", below, zero)  # the derivative is zero there, however steep nearby
        return b.select(at_rest, zero, b.div(above, b.select(at_rest, one, below)))

    def _power(self, expr: Any) -> int:
        b = self.builder
        base, exponent = expr.args
        if exponent.is_Integer:
            return b.power(self.node(base), int(exponent))
        if exponent.is_Rational and exponent.q == 2:
            root = b.call("sqrt", self.node(base))
            return b.power(root, int(exponent.p))
        if base == sympy.E:
            return b.call("exp", self.node(exponent))
        return b.call("pow", self.node(base), self.node(exponent))

    def _piecewise(self, expr: Any) -> int:
        b = self.builder
        result = b.const(float("nan"))
        for value, condition in reversed(expr.args):
            if condition == sympy.true:
                result = self.node(value)
            else:
                result = b.select(self._condition(condition), self.node(value), result)
        return result

    def _condition(self, condition: Any) -> int:
        b = self.builder
        if isinstance(condition, sympy.And):
            result = b.const(1.0)
            for part in condition.args:
                result = b.select(self._condition(part), result, b.const(0.0))
            return result
        if isinstance(condition, sympy.Or):
            result = b.const(0.0)
            for part in condition.args:
                result = b.select(self._condition(part), b.const(1.0), result)
            return result
        if isinstance(condition, sympy.Not):
            return b.select(self._condition(condition.args[0]), b.const(0.0), b.const(1.0))
        if isinstance(condition, sympy.Unequality):
            return b.select(self._condition(sympy.Eq(*condition.args)), b.const(0.0), b.const(1.0))
        return self.node(condition)

    def _step(self, x: Any, at_zero: Any) -> int:
        """Return the Heaviside step, 0 below zero and 1 above: derivative of Max and Min.

        At zero its value is 1/2 as in SymPy: the mean of both sides, so that ``Max(x, 0) - Max(-x,
        0)`` has the derivative 1 everywhere.
        """
        b, side = self.builder, self.node(x)
        zero, one = b.const(0.0), b.const(1.0)
        not_below = b.select(b.compare("lt", zero, side), one, self.node(at_zero))
        return b.select(b.compare("lt", side, zero), zero, not_below)

    def _stumpff(self, k: int, x: Any) -> int:
        """Return the Stumpff function, with the scheme of `mbdgen.geometry.stumpff.value`."""
        b, at = self.builder, self.node(x)
        start, coefficients = scheme(k)
        total = self.node(Stumpff(k + 2, x)) if start is None else b.const(start)
        for c in coefficients:
            total = b.sub(b.const(c), b.mul(at, total))
        return total

    def _chosen(self, x: int, borders: list[float], numbers: list[float]) -> int:
        """Return the index of the interval, by bisection."""
        b, n = self.builder, len(borders)
        if not borders:
            return b.const(numbers[0])
        half = n // 2
        below = self._chosen(x, borders[:half], numbers[: half + 1])
        above = self._chosen(x, borders[half + 1 :], numbers[half + 1 :])
        return b.select(b.compare("lt", x, b.const(borders[half])), below, above)

    def _extreme(self, expr: Any) -> int:
        name = "min" if isinstance(expr, sympy.Min) else "max"
        first, *rest = (self.node(e) for e in expr.args)
        for k in rest:
            first = self.builder.call(name, first, k)
        return first


_CLIPPED = (sympy.Max, sympy.Min, sympy.Abs)


def _without_quotients_of_zeros(factors: Sequence[Any]) -> list[Any]:
    """Return the factors with ``x**n / x`` as ``x**(n - 1)`` where x is a clipped number.

    SymPy returns the derivative of ``Max(x, 0)**n`` as a quotient, which is 0/0 where clipped.
    """
    powers: dict[Any, Any] = {}
    others = []
    for factor in factors:
        base, exponent = factor.as_base_exp()
        if isinstance(base, _CLIPPED):
            powers[base] = powers.get(base, 0) + exponent
        else:
            others.append(factor)
    return [*others, *(sympy.Pow(base, exponent) for base, exponent in powers.items())]


def _is_slope_of_clipped(factors: Sequence[Any]) -> bool:
    """Return whether a product is a derivative that is infinite where a clipped value is zero."""
    kinked = any(factor.has(sympy.Heaviside, sympy.sign) for factor in factors)
    return kinked and any(
        isinstance(base, _CLIPPED) and exponent.is_number and exponent.is_negative
        for base, exponent in (f.as_base_exp() for f in _without_quotients_of_zeros(factors))
    )


def _real(expr: Any) -> float:
    value = complex(expr)
    if value.imag != 0.0:
        raise BuildError(f"The number {expr} is complex.", "Forces and constraints are real.")
    return value.real
