r"""Tape of named intermediate results: automatic differentiation without expansion.

Every intermediate result gets a name when it is created (so the common subexpressions are known
*before* any differentiation) and derivatives follow the chain rule along the names:

.. math:: \frac{d e}{d q} = \sum_s \frac{\partial e}{\partial s} \frac{d s}{d q}

The derivatives of named results are named results again, so second derivatives cost little, and the
expressions in SymPy have only a few terms whatever the size of the mechanism.

Where many coordinates act through a few results, as those of a beam element through the fields at a
section, these results are *gates*: later results are differentiated with respect to them only.
Functions of constants are not differentiated at all.
"""

from collections.abc import Collection, Iterable, Mapping
from math import pi
from typing import NamedTuple

from mbdgen.errors import BuildError
from mbdgen.geometry.symbolic_vectors import AXES, Expr, Vec
from mbdgen.interface import TURNS
from mbdgen.language.expressions.piecewise_index import Rounds
from mbdgen.symbolic.derive.algebra_engines import Engine


class Angle(NamedTuple):
    """Unwrapped angle: its value modulo a full turn, and whether it may jump."""

    modulo: Expr
    jumps: bool


class Tape:
    """Ordered, named intermediate results of one element type.

    Parameters
    ----------
    engine : Engine
        Algebra engine for symbols and partial derivatives.
    """

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.definitions: dict[Expr, Expr] = {}
        self._inputs: set[Expr] = set()
        self._fixed: set[Expr] = set()
        self._partials: dict[tuple[Expr, Expr], Expr] = {}
        self._derivatives: dict[tuple[Expr, Expr], Expr] = {}
        self._rates: dict[Expr, Expr] = {}
        self._free: dict[Expr, list[Expr]] = {}
        self._gates: set[Expr] = set()
        self._gates_of: dict[Expr, tuple[Expr, ...]] = {}
        self.angles: dict[Expr, Angle] = {}

    def input(self, name: str) -> Expr:
        """Return the symbol of an input."""
        symbol = self.engine.symbol(name)
        if symbol in self.definitions:
            raise BuildError(
                f"The name {name!r} stands for an input and for an intermediate result.",
                "Give the intermediate result another name.",
            )
        self._inputs.add(symbol)
        return symbol

    def number(self, name: str) -> Expr:
        """Return the symbol of an input that is independent of the state (a parameter)."""
        symbol = self.input(name)
        self._fixed.add(symbol)
        return symbol

    def name(self, label: str, expr: Expr) -> Expr:
        """Name an intermediate result; numbers and single symbols need no name."""
        expr = self.engine.convert(expr)
        if _is_atom(expr):
            return expr
        return self._defined(label, expr)

    def vector(self, label: str, components: Iterable[Expr]) -> Vec:
        """Name the three components of a vector."""
        return Vec(*(self.name(f"{label}_{c}", e) for c, e in zip(AXES, components, strict=True)))

    def distinct(self, label: str, components: Iterable[Expr]) -> Vec:
        """Name the components of a vector with symbols of its own.

        Gradients are taken with respect to such symbols, so they must not be shared.
        """
        return Vec(*(self._own(f"{label}_{c}", e) for c, e in zip(AXES, components, strict=True)))

    def _own(self, label: str, expr: Expr) -> Expr:
        expr = self.engine.convert(expr)
        if not self.free(expr):
            return expr
        return self._defined(label, expr)

    def _defined(self, label: str, expr: Expr) -> Expr:
        symbol = self.engine.symbol(self._unused(label))
        self.definitions[symbol] = expr
        if self._fixed.issuperset(self.free(expr)):
            self._fixed.add(symbol)
        return symbol

    def angle(self, modulo: Expr, jumps: bool = False) -> Expr:
        r"""Return the unwrapped angle of an angle that is known modulo a full turn.

        .. math:: \theta + 2\pi \left\lfloor\frac{\theta_p + \omega_p t - \theta}{2\pi}
            + \frac12\right\rfloor

        The prediction is that of the last step, see `mbdgen.interface.TURNS`; the number of turns
        is treated as constant in derivatives.

        Parameters
        ----------
        jumps : bool
            Whether it may jump where it is undefined.
        """
        modulo = self.engine.convert(modulo)
        for known, angle in self.angles.items():
            if modulo in (known, angle.modulo):
                return known
        k = len(self.angles)
        near, speed = (self.number(name) for name in angle_inputs(k))
        found = self.name("modulo_turns", modulo)
        ahead = near + speed * self.input("t") - found
        rounds = Rounds(self.engine.to_sympy(ahead) * (0.5 / pi) + 0.5)
        count = self.name("turns", self.engine.convert(rounds))
        self._fixed.add(count)
        counted = self.name("angle", found + 2.0 * pi * count)
        self.angles[counted] = Angle(modulo, jumps)
        return counted

    def modulo_turns(self, expr: Expr) -> Expr:
        """Return an expression of angles without unwrapping, where full turns do not matter."""
        expr = self.engine.convert(expr)
        known = {s: angle.modulo for s, angle in self.angles.items()}
        return expr.subs(known) if known else expr

    def gate(self, vector: Iterable[Expr]) -> None:
        """Declare gates of total derivatives: named results that depend on inputs only."""
        self._gates |= {s for s in vector if s in self.definitions}

    def derivative(self, expr: Expr, symbol: Expr) -> Expr:
        """Return the total derivative of `expr` with respect to an input symbol."""
        expr = self.engine.convert(expr)
        total = self._forward(expr, symbol)
        for gate in self._gates_in(expr):
            inner = self._forward(self.definitions[gate], symbol)
            if inner != 0:
                total = total + self._by_gate(expr, gate) * inner
        return total

    def adjoints(self, values: Mapping[Expr, Expr], until: Collection[Expr]) -> dict[Expr, Expr]:
        r"""Return the derivatives of :math:`\sum_k w_k x_k` with respect to all its symbols.

        Reverse mode: the adjoint of every named result is computed once, from the last to the
        first, and is named.

        Parameters
        ----------
        values : mapping of symbol to expression
            Named results x and their constant weights w.
        until : collection of symbol
            Names that are not differentiated further.
        """
        worth = {s: self.engine.convert(w) for s, w in values.items()}
        for s in list(reversed(self.definitions)):
            if s not in worth or s in until or s in self._fixed:
                continue
            own = self.name(f"by_{s}", worth[s])
            for x in self.free(self.definitions[s]):
                worth[x] = worth.get(x, 0) + own * self.partial(self.definitions[s], x)
        return worth

    def rate(self, expr: Expr, seeds: Mapping[Expr, Expr]) -> Expr:
        """Return the total time derivative, with the rates of the inputs given by `seeds`.

        The same seeds must be used in every call: rates of named results are cached.
        """
        expr = self.engine.convert(expr)
        total: Expr = self.engine.convert(0)
        for s in self.free(expr):
            inner = self._rate_of_symbol(s, seeds)
            if inner != 0:
                total = total + self.partial(expr, s) * inner
        return total

    def partial(self, expr: Expr, symbol: Expr) -> Expr:
        """Return the partial derivative with all other names held fixed."""
        key = (expr, symbol)
        if key not in self._partials:
            self._partials[key] = self.engine.partial(expr, symbol)
        return self._partials[key]

    def free(self, expr: Expr) -> list[Expr]:
        """Return the symbols of `expr`, sorted by name."""
        if expr not in self._free:
            self._free[expr] = self.engine.free(expr)
        return self._free[expr]

    def reached(self, expressions: Iterable[Expr]) -> set[Expr]:
        """Return every symbol that the expressions depend on, through all names."""
        found: set[Expr] = set()
        waiting = [s for e in expressions for s in self.free(self.engine.convert(e))]
        while waiting:
            s = waiting.pop()
            if s not in found:
                found.add(s)
                waiting += self.free(self.definitions[s]) if s in self.definitions else []
        return found

    def _forward(self, expr: Expr, symbol: Expr) -> Expr:
        """Return the derivative with respect to an input or a gate, other gates held fixed."""
        total: Expr = self.engine.convert(0)
        for s in self.free(expr):
            inner = self._derivative_of_symbol(s, symbol)
            if inner != 0:
                total = total + self.partial(expr, s) * inner
        return total

    def _by_gate(self, expr: Expr, gate: Expr) -> Expr:
        if expr in self.definitions:
            return self._derivative_of_symbol(expr, gate)
        key = (expr, gate)
        if key not in self._derivatives:
            self._derivatives[key] = self.name(f"slope_by_{gate}", self._forward(expr, gate))
        return self._derivatives[key]

    def _gates_in(self, expr: Expr) -> list[Expr]:
        """Return the gates that an expression depends on."""
        if not self._gates:
            return []
        return list(dict.fromkeys(g for s in self.free(expr) for g in self._gates_behind(s)))

    def _gates_behind(self, s: Expr) -> tuple[Expr, ...]:
        if s not in self._gates_of:
            inner = self._gates_in(self.definitions[s]) if s in self.definitions else []
            self._gates_of[s] = (s,) if s in self._gates else tuple(inner)
        return self._gates_of[s]

    def _derivative_of_symbol(self, s: Expr, symbol: Expr) -> Expr:
        if s == symbol:
            return 1
        if s not in self.definitions or s in self._gates or s in self._fixed:
            return 0
        key = (s, symbol)
        if key not in self._derivatives:
            value = self._forward(self.definitions[s], symbol)
            self._derivatives[key] = self.name(f"{s}_by_{symbol}", value)
        return self._derivatives[key]

    def _rate_of_symbol(self, s: Expr, seeds: Mapping[Expr, Expr]) -> Expr:
        if s in seeds:
            return seeds[s]
        if s not in self.definitions or s in self._fixed:
            return 0
        if s not in self._rates:
            self._rates[s] = self.name(f"{s}_dot", self.rate(self.definitions[s], seeds))
            if s in self._gates:
                self.gate([self._rates[s]])
        return self._rates[s]

    def _unused(self, label: str) -> str:
        name, k = label, 1
        while (symbol := self.engine.symbol(name)) in self.definitions or symbol in self._inputs:
            k += 1
            name = f"{label}_{k}"
        return name


def angle_inputs(k: int) -> tuple[str, ...]:
    """Return the input names of the prediction of an angle of an element."""
    return tuple(f"{what}_{k}" for what in TURNS)


def _is_atom(expr: Expr) -> bool:
    return not expr.args
