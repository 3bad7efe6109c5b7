"""Python: what Numba compiles, and what evaluates expressions of parameters in every module."""

import math
from collections.abc import Sequence
from typing import ClassVar

from mbdgen.emit.printer import Printer, Text


class PythonPrinter(Printer):
    """Writes Python expressions with functions of `math`."""

    functions: ClassVar[dict[str, str]] = {
        "sqrt": "math.sqrt",
        "sin": "math.sin",
        "cos": "math.cos",
        "tan": "math.tan",
        "asin": "math.asin",
        "acos": "math.acos",
        "atan": "math.atan",
        "atan2": "math.atan2",
        "sinh": "math.sinh",
        "cosh": "math.cosh",
        "tanh": "math.tanh",
        "exp": "math.exp",
        "log": "math.log",
        "floor": "math.floor",
        "abs": "abs",
        "pow": "math.pow",
        "min": "min",
        "max": "max",
    }

    def number(self, value: float) -> Text:
        """Write a number so that it reads back bit for bit."""
        if math.isnan(value):
            return Text("math.nan", name=True)
        if math.isinf(value):
            return Text("math.inf" if value > 0 else "(-math.inf)", name=True)
        return super().number(value)

    def select(self, condition: str, yes: str, no: str) -> str:
        """Write a choice."""
        return f"({yes} if {condition} else {no})"

    def call(self, function: str, args: Sequence[str]) -> str:
        """Write a function call; Python has no sign function."""
        if function == "sign":
            (x,) = args
            return f"float(({x} > 0.0) - ({x} < 0.0))"
        return super().call(function, args)
