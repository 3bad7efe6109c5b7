"""Expressions of the series of a result: ``norm(tip.v)``, ``2*acos(rod.p.e0)``.

The text is parsed, never executed: numbers, names of series, ``+ - * / **``, vectors ``(a, b, c)``
and the functions of `FUNCTIONS`. A name is that of a series or group; with an index it is one of
its components (``tip[0]``). Names that are not valid in Python must be quoted. ``pi`` is a number.
"""

import ast
import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from mbdgen.errors import OptionError, meant
from mbdgen.runtime.results.expression_functions import FUNCTIONS, together
from mbdgen.runtime.results.result_series import Directory
from mbdgen.runtime.results.sentence_parts import counted
from mbdgen.runtime.system.system_data import FloatArray

CONSTANTS = {"pi": math.pi}
OPERATORS: dict[type[ast.operator], Callable[[FloatArray, FloatArray], FloatArray]] = {
    ast.Add: np.add,
    ast.Sub: np.subtract,
    ast.Mult: np.multiply,
    ast.Div: np.divide,
    ast.Pow: np.power,
}
LONGEST = 2000  # characters


class Series(Protocol):
    """Named series over time: a result."""

    @property
    def t(self) -> FloatArray:
        """Recorded instants."""

    def __getitem__(self, key: str) -> FloatArray:
        """Return a series ``(n_t,)`` or a group ``(n_t, k)``."""

    def __contains__(self, key: object) -> bool:
        """Whether there is such a series or group."""


@dataclass(frozen=True)
class Expression:
    """A parsed expression.

    Attributes
    ----------
    text : str
        Source text.
    tree : ast.expr
        Syntax tree.
    """

    text: str
    tree: ast.expr

    @classmethod
    def parse(cls, text: object) -> "Expression":
        """Parse an expression.

        Raises
        ------
        OptionError
            If it is not a valid expression.
        """
        if not isinstance(text, str) or not text.strip() or len(text) > LONGEST:
            shown = f"{text[:40]!r} and so on" if isinstance(text, str) and text else repr(text)
            raise OptionError(
                f"{shown} is no expression.", f"Give a text of at most {LONGEST} letters."
            )
        try:
            return cls(text.strip(), ast.parse(text.strip(), mode="eval").body)
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            raise OptionError(
                f"The expression {text!r} cannot be read.",
                "Write it like norm(tip.v) or 2*acos(rod.p.e0); names that Python does not know "
                "as names stand in quotes.",
            ) from error

    def value(self, series: Series) -> FloatArray:
        """Return the values of the expression: ``(n_t,)``, ``(n_t, k)``, or a scalar array."""
        try:
            with np.errstate(all="ignore"):
                return _Reader(self.text, series).value(self.tree)
        except RecursionError as error:
            raise OptionError(
                f"The expression {self.text!r} is nested too deeply.", "Write it with fewer levels."
            ) from error


class _Reader:
    """Evaluator of the nodes of one expression."""

    def __init__(self, text: str, series: Series) -> None:
        self._text, self._series = text, series

    def value(self, node: ast.expr) -> FloatArray:
        """Return the values of a node."""
        if isinstance(node, ast.Constant):
            return self._constant(node.value)
        if isinstance(node, ast.Name | ast.Attribute | ast.Subscript):
            return self._named(node)
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.UAdd | ast.USub):
            value = self.value(node.operand)
            return -value if isinstance(node.op, ast.USub) else value
        if isinstance(node, ast.BinOp) and type(node.op) in OPERATORS:
            left, right = together([self.value(node.left), self.value(node.right)], self._text)
            return OPERATORS[type(node.op)](left, right)
        if isinstance(node, ast.Call):
            return self._called(node)
        if isinstance(node, ast.Tuple | ast.List) and node.elts:
            return self._vector([self.value(x) for x in node.elts])
        raise self._unknown(f"{ast.unparse(node)!r} is not understood")

    def _constant(self, value: object) -> FloatArray:
        if isinstance(value, str):
            return self._series[value]
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise self._unknown(f"{value!r} is no number")
        try:
            return np.asarray(float(value))
        except OverflowError:
            raise self._unknown("a number is too large") from None

    def _named(self, node: ast.expr) -> FloatArray:
        """Return a series by its dotted name; an index may belong to the name or select."""
        name = _dotted(node)
        if name in CONSTANTS and name not in self._series:
            return np.asarray(CONSTANTS[name])
        if not isinstance(node, ast.Subscript) or name in self._series:
            if not name:
                raise self._unknown(f"{ast.unparse(node)!r} is no name")
            return self._series[name]
        whole, index = self.value(node.value), node.slice
        if whole.ndim != 2 or not isinstance(index, ast.Constant):
            raise self._unknown(f"{ast.unparse(node)!r} is no component")
        k = index.value
        if not isinstance(k, int) or not 0 <= k < whole.shape[1]:
            few = counted(whole.shape[1], "component")
            raise self._unknown(f"{ast.unparse(node.value)!r} has {few}, counted from 0")
        component: FloatArray = whole[:, k]
        return component

    def _called(self, node: ast.Call) -> FloatArray:
        name = node.func.id if isinstance(node.func, ast.Name) else ast.unparse(node.func)
        if name not in FUNCTIONS:
            raise OptionError(
                f"{self._text!r}: there is no function '{name}'.",
                meant(name, FUNCTIONS, f"There are {', '.join(FUNCTIONS)}."),
            )
        function, given = FUNCTIONS[name], node.args
        most = function.most or len(given)
        if node.keywords or not function.least <= len(given) <= most:
            raise self._unknown(f"'{name}' is written as {function.usage}")
        return function.call(self._series.t, [self.value(x) for x in given], self._text)

    def _vector(self, parts: list[FloatArray]) -> FloatArray:
        if any(part.ndim > 1 for part in parts):
            raise self._unknown("a vector consists of series, not of vectors")
        n_t = len(self._series.t)
        return np.column_stack([np.broadcast_to(part, n_t) for part in parts])

    def _unknown(self, what: str) -> OptionError:
        return OptionError(
            f"In the expression {self._text!r} {what}.",
            "It may have numbers, names of series, + - * / **, vectors (a, b, c) and functions: "
            f"{', '.join(FUNCTIONS)}.",
        )


def _dotted(node: ast.expr) -> str:
    """Return a name as written, ``rod.x.dot`` or ``pin[0]``; empty if it is none."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        stem = _dotted(node.value)
        return f"{stem}.{node.attr}" if stem else ""
    if isinstance(node, ast.Subscript):
        stem = _dotted(node.value)
        return f"{stem}[{ast.unparse(node.slice)}]" if stem else ""
    return ""


def evaluate(series: Series, text: object) -> FloatArray:
    """Return the values of an expression of named series; see `Expression`."""
    return Expression.parse(text).value(series)


def check_known(directory: Directory, text: str) -> None:
    """Raise if a result with these series cannot evaluate the expression; nothing is computed.

    Raises
    ------
    OptionError
        With the unknown name, and close matches.
    """
    if text != "t" and text not in directory:
        evaluate(_Unmeasured(directory), text)


class _Unmeasured:
    """Series with names only: each has a few zeros as values."""

    def __init__(self, directory: Directory) -> None:
        self._directory, self.t = directory, np.arange(3.0)

    def __getitem__(self, key: str) -> FloatArray:
        if key == "t":
            return self.t
        found, single = self._directory.select(key)
        return np.zeros(3) if single else np.zeros((3, len(found)))

    def __contains__(self, key: object) -> bool:
        return key == "t" or key in self._directory


def separate(text: str) -> list[str]:
    """Split at commas outside of brackets and quotes.

    >>> separate("tip.y, dot(tip.v, tip.a), pin[0]")
    ['tip.y', 'dot(tip.v, tip.a)', 'pin[0]']
    """
    parts, depth, quote = [""], 0, ""
    for letter in text:
        if quote:
            quote = "" if letter == quote else quote
        elif letter in "'\"":
            quote = letter
        else:
            depth += (letter in "([") - (letter in ")]")
        if letter == "," and depth == 0 and not quote:
            parts.append("")
        else:
            parts[-1] += letter
    return [part.strip() for part in parts if part.strip()]
