"""C backend: a shared library by the system's compiler; flat code compiles ten times faster."""

import math
from collections.abc import Sequence
from typing import ClassVar

from mbdgen.emit.backend import Backend, load_python
from mbdgen.emit.printer import PrintedText, Printer

_WORDS = """
    auto break case char const continue default do double else enum extern float for goto if inline
    int long register restrict return short signed sizeof static struct switch typedef union
    unsigned void volatile while
"""


class CPrinter(Printer):
    """Printer of C expressions with functions of ``math.h``."""

    functions: ClassVar[dict[str, str]] = {
        **{name: name for name in ("sqrt", "sin", "cos", "tan", "asin", "acos", "atan", "atan2")},
        **{name: name for name in ("sinh", "cosh", "tanh", "exp", "log", "pow", "floor")},
        "abs": "fabs",
        "min": "fmin",
        "max": "fmax",
    }
    reserved: ClassVar[frozenset[str]] = frozenset((*_WORDS.split(), *functions.values()))

    def number(self, value: float) -> PrintedText:
        """Write a number so that it reads back bit for bit."""
        if math.isnan(value):
            return PrintedText("NAN", name=True)
        if math.isinf(value):
            return PrintedText("INFINITY" if value > 0 else "(-INFINITY)", name=True)
        return super().number(value)

    def select(self, condition: str, yes: str, no: str) -> str:
        """Write a conditional expression."""
        return f"({condition} ? {yes} : {no})"

    def call(self, function: str, args: Sequence[str]) -> str:
        """Write a function call; ``sign`` is an expression, as C has no such function."""
        if function == "sign":
            (x,) = args
            return f"(double)(({x} > 0.0) - ({x} < 0.0))"
        return super().call(function, args)


BACKEND = Backend(
    name="c",
    printer=CPrinter(),
    templates=(
        ("module.py.jinja", ".py"),
        ("kernels.c.jinja", ".c"),
        ("kernels.h.jinja", ".h"),
    ),
    # Compilers take two to four thousand straight-line statements a second, times three for fused
    # kernels; a run of them costs a fifth of that of loops.
    flat_limit=20_000,
    load=load_python,
    fuse_limit=200_000,
    # Clang takes 10 s for so many, GCC three times as long.
    operation_limit=100_000,
    part_size=1000,
)
