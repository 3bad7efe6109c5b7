"""Functions of one variable, mostly time: expressions, derivatives, sums, compositions."""

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Union

import numpy as np

from mbdgen.errors import ModelError
from mbdgen.language.expressions.scalars import Scalar, as_scalar, is_number, is_symbolic, shown

if TYPE_CHECKING:
    from collections.abc import Callable

Operand = Union["TimeFunction", Scalar]
"""Operands of arithmetic with functions."""


@dataclass(frozen=True)
class TimeFunction:
    r"""A function of time, or of any other variable: :math:`f(x)` with exact derivatives.

    Called with an expression (``f(m.t)``) it gives an expression for drivers, loads and laws; with
    a number or an array its values, for plots; with another function the composition.
    Sums, products, quotients and powers are functions again.

    Attributes
    ----------
    expression : expression
        The formula in `argument`; parameters of a model may appear in it.
    name : str
        Its definition, for messages.
    """

    expression: Any
    name: str = "function"

    def __call__(self, x: Any) -> Any:
        """Return the expression, the number, the array of numbers or the composition at `x`."""
        if isinstance(x, TimeFunction):
            return TimeFunction(self._at(x.expression), f"{self.name} of {x.name}")
        if is_symbolic(x):
            return self._at(x)
        values = self._values(x)
        return float(values) if values.ndim == 0 else values

    def derivative(self, order: int = 1) -> "TimeFunction":
        """Return the derivative with respect to the argument as a function."""
        if not isinstance(order, int) or isinstance(order, bool) or order < 0:
            raise ModelError(f"The order of a derivative is {shown(order)}.", "Give 1, 2, ...")
        slope = self.expression.diff(argument(), order) if order else self.expression
        return TimeFunction(slope, f"derivative of {self.name}")

    def given(self, **values: float) -> "TimeFunction":
        """Return the function with values substituted for parameters, by name."""
        known = {s.name: s for s in self._parameters}
        unknown = sorted(set(values) - set(known))
        if unknown:
            raise ModelError(
                f"The {self.name} has no parameter {', '.join(unknown)}.",
                f"Its parameters: {', '.join(sorted(known)) or 'none'}.",
            )
        places = {known[k]: as_scalar(v, f"parameter '{k}'") for k, v in values.items()}
        return TimeFunction(self.expression.subs(places), self.name)

    def __add__(self, other: Operand) -> "TimeFunction":
        return self._joined(other, "sum", lambda a, b: a + b)

    def __sub__(self, other: Operand) -> "TimeFunction":
        return self._joined(other, "difference", lambda a, b: a - b)

    def __rsub__(self, other: Operand) -> "TimeFunction":
        return self._joined(other, "difference", lambda a, b: b - a)

    def __mul__(self, other: Operand) -> "TimeFunction":
        return self._joined(other, "product", lambda a, b: a * b)

    def __truediv__(self, other: Operand) -> "TimeFunction":
        return self._joined(other, "quotient", lambda a, b: a / b)

    def __rtruediv__(self, other: Operand) -> "TimeFunction":
        return self._joined(other, "quotient", lambda a, b: b / a)

    def __pow__(self, other: Operand) -> "TimeFunction":
        return self._joined(other, "power", lambda a, b: a**b)

    def __neg__(self) -> "TimeFunction":
        return TimeFunction(-self.expression, self.name)

    __radd__ = __add__
    __rmul__ = __mul__

    def __str__(self) -> str:
        return f"{self.name}: x -> {self._at(_plain())}"

    def _at(self, x: Any) -> Any:
        return self.expression.subs(argument(), x)

    def _joined(
        self, other: Operand, name: str, join: "Callable[[Any, Any], Any]"
    ) -> "TimeFunction":
        if isinstance(other, TimeFunction):
            return TimeFunction(join(self.expression, other.expression), name)
        scalar = as_scalar(other, f"an operand of the {self.name}")
        return TimeFunction(join(self.expression, as_expression(scalar)), name)

    @property
    def _parameters(self) -> list[Any]:
        return sorted(self.expression.free_symbols - {argument()}, key=str)

    @cached_property
    def _compiled(self) -> "Callable[[Any], Any]":
        import sympy

        smooth = self.expression.replace(sympy.DiracDelta, lambda *_: sympy.Integer(0))
        compiled: Callable[[Any], Any] = sympy.lambdify(argument(), smooth, "numpy")
        return compiled

    def _values(self, x: object) -> Any:
        """Return numeric values; not a number outside of the domain."""
        try:
            at = np.asarray(x, float)
        except (TypeError, ValueError) as error:
            raise ModelError(
                f"The argument of the {self.name} is {shown(x)}.",
                "Give an expression such as m.t, numbers, or another function.",
            ) from error
        if self._parameters:
            names = ", ".join(map(str, self._parameters))
            raise ModelError(
                f"The {self.name} depends on {names}.",
                f"Give numbers first: .given({names.split(', ')[0]}=...).",
            )
        with np.errstate(all="ignore"):
            values = np.broadcast_to(self._compiled(at), at.shape).astype(float)
        if np.isnan(values).any():
            first = at[np.isnan(values)].flat[0] if at.ndim else at
            raise ModelError(
                f"The {self.name} has no value at {float(first):g}.",
                "Stay within its range, or say what it does outside.",
            )
        return values


def argument() -> Any:
    """Return the symbol of the argument, with a prefix that no user name has."""
    import sympy

    return sympy.Symbol("#x", real=True)


def as_expression(x: Any) -> Any:
    """Return a number or an expression as an expression."""
    import sympy

    return sympy.Float(x) if is_number(x) else x


def scalars(what: str, **given: Any) -> list[Any]:
    """Return the coefficients of a function, each a number or an expression of parameters."""
    return [as_scalar(value, f"{name} of a {what}") for name, value in given.items()]


def check_order(what: str, **places: Any) -> None:
    """Reject breakpoints that are not increasing, if they are numbers."""
    pairs = list(places.items())
    for (first, low), (second, high) in pairwise(pairs):
        if is_number(low) and is_number(high) and not low < high:
            raise ModelError(
                f"A {what} has {first} = {low:g} and {second} = {high:g}.",
                f"Give a {second} after the {first}.",
            )


def _plain() -> Any:
    import sympy

    return sympy.Symbol("x", real=True)
