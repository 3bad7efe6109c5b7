"""Printer of expressions: base class for target languages with infix operators.

A printer for a new language subclasses `Printer` and defines how numbers, functions and conditional
expressions are written.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from mbdgen.symbolic.ir.graph import Node

_SUM, _PRODUCT, _SIGN, _ATOM = 1, 2, 3, 4
_OPERATORS = {
    "add": ("+", _SUM),
    "sub": ("-", _SUM),
    "mul": ("*", _PRODUCT),
    "div": ("/", _PRODUCT),
}


@dataclass(frozen=True)
class PrintedText:
    """Text of an expression, with the precedence of its outermost operator."""

    text: str
    binding: int = _ATOM
    name: bool = False
    number: bool = False

    @property
    def atomic(self) -> bool:
        """Whether it is a name or a number, which needs no temporary."""
        return self.name

    @property
    def negative(self) -> bool:
        """Whether it is a number below zero."""
        return self.number and self.binding == _SIGN

    @property
    def opposite(self) -> "PrintedText":
        """The number with the opposite sign."""
        return PrintedText(self.text[1:], _ATOM, name=True, number=True)


class Printer:
    """Printer of graph nodes in a language with infix operators.

    Attributes
    ----------
    functions : dict
        Name in the language of every function of the graph.
    relations : dict
        Operator in the language of every comparison.
    reserved : set of str
        Reserved names: keywords of the language and names of its functions.
    """

    functions: ClassVar[dict[str, str]] = {}
    relations: ClassVar[dict[str, str]] = {"lt": "<", "le": "<=", "eq": "=="}
    reserved: ClassVar[frozenset[str]] = frozenset()

    def variable(self, name: str) -> str:
        """Return the name of a variable in the language, changed if it is reserved."""
        return f"{name}_" if name in self.reserved else name

    def name(self, name: str) -> PrintedText:
        """Write a variable."""
        return PrintedText(self.variable(name), name=True)

    def number(self, value: float) -> PrintedText:
        """Write a number so that it reads back bit for bit."""
        text = repr(value)
        return PrintedText(text, _SIGN if value < 0 else _ATOM, name=True, number=True)

    def select(self, condition: str, yes: str, no: str) -> str:
        """Write a conditional expression."""
        raise NotImplementedError

    def call(self, function: str, args: Sequence[str]) -> str:
        """Write a function call."""
        return f"{self.functions[function]}({', '.join(args)})"

    def node(self, node: Node, args: Sequence[PrintedText]) -> PrintedText:
        """Write a node, given its written operands."""
        op = node[0]
        if op == "const":
            return self.number(node[1])
        if op == "input":
            return self.name(node[1])
        if op == "neg":
            return PrintedText("-" + _wrapped(args[0], _PRODUCT + 1), _SIGN)
        if op in _OPERATORS:
            return _infix(op, args[0], args[1])
        if op in self.relations:
            return PrintedText(f"({args[0].text} {self.relations[op]} {args[1].text})")
        texts = [a.text for a in args]
        if op == "select":
            return PrintedText(self.select(*texts))
        return PrintedText(self.call(op, texts))


def _infix(op: str, a: PrintedText, b: PrintedText) -> PrintedText:
    op, a, b = _as_people_write(op, a, b)
    sign, binding = _OPERATORS[op]
    left = _wrapped(a, binding)
    # The right operand keeps its brackets: floating-point addition is not associative.
    right = _wrapped(b, binding + 1)
    if b.binding == _SIGN:
        right = f"({b.text})"
    space = " " if binding == _SUM else ""
    return PrintedText(f"{left}{space}{sign}{space}{right}", binding)


def _as_people_write(
    op: str, a: PrintedText, b: PrintedText
) -> tuple[str, PrintedText, PrintedText]:
    """Return the same operation, bit for bit, in conventional notation.

    ``x - (-2)`` becomes ``x + 2``, numbers precede what they multiply, and as rounding does not
    depend on the order of two operands, brackets on the right can be moved to the left.
    """
    if op == "sub" and b.negative:
        return "add", a, b.opposite
    if op == "add" and (a.negative or b.negative):
        a, b = (b, a) if a.negative else (a, b)
        return "sub", a, b.opposite
    grouped = b.binding == _OPERATORS[op][1]
    if op == "add":
        return (op, b, a) if grouped and a.binding in (_PRODUCT, _ATOM) else (op, a, b)
    if "/" in b.text:
        return op, a, b  # the bracket shows the dividend
    if op == "mul" and (grouped or b.number) and a.binding == _ATOM and not a.number:
        return op, b, a
    return op, a, b


def _wrapped(x: PrintedText, least: int) -> str:
    return x.text if x.binding >= least else f"({x.text})"
