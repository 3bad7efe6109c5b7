"""JavaScript backend for browsers and Node: a module of kernels and a time integrator."""

import math
import sys
from typing import ClassVar

from mbdgen.emit.backend import Backend
from mbdgen.emit.printer import PrintedText, Printer

_MATH = (
    *("sqrt", "sin", "cos", "tan", "asin", "acos", "atan", "atan2", "sinh", "cosh", "tanh"),
    *("exp", "log", "abs", "pow", "min", "max", "sign", "floor"),
)
_WORDS = """
    arguments await break case catch class const continue debugger default delete do else enum eval
    export extends false finally for function if implements import in instanceof interface let new
    null package private protected public return static super switch this throw true try typeof
    undefined var void while with yield Infinity Math NaN values
"""


class JavaScriptPrinter(Printer):
    """Printer of JavaScript expressions with functions of ``Math``."""

    functions: ClassVar[dict[str, str]] = {name: f"Math.{name}" for name in _MATH}
    relations: ClassVar[dict[str, str]] = {**Printer.relations, "eq": "==="}
    reserved: ClassVar[frozenset[str]] = frozenset(_WORDS.split())

    def number(self, value: float) -> PrintedText:
        """Write a number so that it reads back bit for bit."""
        if math.isnan(value):
            return PrintedText("NaN", name=True)
        if math.isinf(value):
            return PrintedText("Infinity" if value > 0 else "(-Infinity)", name=True)
        return super().number(value)

    def select(self, condition: str, yes: str, no: str) -> str:
        """Write a conditional expression."""
        return f"({condition} ? {yes} : {no})"


BACKEND = Backend(
    name="js",
    printer=JavaScriptPrinter(),
    templates=(("module.mjs.jinja", ".mjs"), ("runtime.mjs.jinja", ".runtime.mjs")),
    flat_limit=20_000,
    load=None,  # run by a browser or Node
    fuse_limit=50_000,
    operation_limit=100_000,
    # V8 optimises no function whose bytecode is longer than 60 kB [M: steps of the governor take
    # seven times as long at 600, those of Bricard's mechanism fifteen times as long at 1200].
    part_size=500,
    table_limit=sys.maxsize,
    module_printer=JavaScriptPrinter(),
    reads=False,
    switches=False,
    methods=("newmark", "rk4"),
)
