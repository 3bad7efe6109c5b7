"""Expressions of named parameters in tables: each distinct expression is evaluated once."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from mbdgen.errors import OptionError
from mbdgen.language.expressions.scalars import Scalar, is_symbolic, value_of
from mbdgen.language.model import Model
from mbdgen.runtime.system.system_data import IntArray
from mbdgen.symbolic.ir.graph import GraphBuilder
from mbdgen.symbolic.ir.system_ir import Bounded, DerivedValues

if TYPE_CHECKING:
    from mbdgen.symbolic.derive.sympy_conversion import Converter


class ParameterExpressions:
    """Collector of expressions of parameters, and of the table entries that they determine.

    Parameters
    ----------
    model : Model
        Model with the parameters.
    freeze : names
        Parameters that become constants.
    """

    def __init__(self, model: Model, freeze: frozenset[str]) -> None:
        unknown = sorted(freeze - set(model.parameters))
        if unknown:
            raise OptionError(
                f"Model '{model.name}' has no parameter {', '.join(unknown)} to freeze.",
                f"Its parameters are: {', '.join(model.parameters) or 'none'}.",
            )
        self._stated = model.bounds
        self._defaults = model.parameter_defaults
        self._live = [p for p in model.parameters.values() if p.name not in freeze]
        self._frozen = {p.symbol: p.value for p in model.parameters.values() if p.name in freeze}
        self._index: dict[Any, int] = {}
        self._targets: dict[str, list[tuple[int, int]]] = {"p": [], "q": [], "v": []}

    def value(self, x: Scalar, what: str) -> float:
        """Return the value at the defaults."""
        return value_of(x, self._defaults, what)

    def place(self, x: Scalar, table: str, position: int, what: str) -> float:
        """Return the value at the defaults, and record the table entry for updates."""
        number = self.value(x, what) + 0.0  # -0.0 becomes 0.0
        expr = self._changing(x)
        if expr is not None:
            k = self._index.setdefault(expr, len(self._index))
            self._targets[table].append((position, k))
        return number

    def _changing(self, x: Scalar) -> Any | None:
        """Return the remaining expression of a value, or None if it is constant."""
        if not is_symbolic(x):
            return None
        expr: Any = x
        expr = expr.xreplace(self._frozen) if self._frozen else expr
        # After substitution of all symbols it is a number.
        return expr if is_symbolic(expr) and expr.free_symbols else None

    def targets(self, table: str) -> IntArray:
        """Return pairs (position, index of the expression)."""
        return np.array(self._targets[table], np.int64).reshape(-1, 2)

    def finish(self) -> DerivedValues:
        """Return the expressions as a graph."""
        builder = GraphBuilder()
        roots: tuple[int, ...] = ()
        bounds: tuple[Bounded, ...] = ()
        if self._live:
            from mbdgen.symbolic.derive.sympy_conversion import Converter

            converter = Converter(builder)
            roots = tuple(converter.node(e) for e in self._index)
            bounds = tuple(self._bounds(converter))
        return DerivedValues(
            names=tuple(p.name for p in self._live),
            defaults=tuple(p.value for p in self._live),
            units=tuple(p.unit for p in self._live),
            graph=builder.finish(),
            roots=roots,
            p_targets=self.targets("p"),
            q_targets=self.targets("q"),
            v_targets=self.targets("v"),
            bounds=bounds,
        )

    def _bounds(self, converter: "Converter") -> Iterator[Bounded]:
        """Yield the distinct bounds of expressions."""
        seen = set()
        for bound in self._stated:
            expr = self._changing(bound.value)
            if expr is not None and (expr, bound.interval) not in seen:
                seen.add((expr, bound.interval))
                yield Bounded(converter.node(expr), bound.interval, bound.what, bound.todo)
