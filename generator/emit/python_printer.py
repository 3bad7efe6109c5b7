"""Python printer: kernels for LLVM, and expressions of parameters in every module."""

import math
from collections.abc import Sequence
from typing import ClassVar

from mbdgen.emit.printer import PrintedText, Printer


class PythonPrinter(Printer):
    """Printer of Python expressions with functions of `math`."""

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

    def number(self, value: float) -> PrintedText:
        """Write a number so that it reads back bit for bit."""
        if math.isnan(value):
            return PrintedText("math.nan", name=True)
        if math.isinf(value):
            return PrintedText("math.inf" if value > 0 else "(-math.inf)", name=True)
        return super().number(value)

    def select(self, condition: str, yes: str, no: str) -> str:
        """Write a choice."""
        return f"({yes} if {condition} else {no})"

    def call(self, function: str, args: Sequence[str]) -> str:
        """Write a function call; ``sign`` is an expression, as Python has no such function."""
        if function == "sign":
            (x,) = args
            return f"float(({x} > 0.0) - ({x} < 0.0))"
        return super().call(function, args)


# Vectorised Python: evaluated for all instants and bodies of a type at once.
class NumpyPrinter(Printer):
    """Printer of Python expressions with functions of NumPy."""

    functions: ClassVar[dict[str, str]] = {
        "sqrt": "np.sqrt",
        "sin": "np.sin",
        "cos": "np.cos",
        "tan": "np.tan",
        "asin": "np.arcsin",
        "acos": "np.arccos",
        "atan": "np.arctan",
        "atan2": "np.arctan2",
        "sinh": "np.sinh",
        "cosh": "np.cosh",
        "tanh": "np.tanh",
        "exp": "np.exp",
        "log": "np.log",
        "abs": "np.abs",
        "sign": "np.sign",
        "pow": "np.power",
        "min": "np.minimum",
        "max": "np.maximum",
    }

    def select(self, condition: str, yes: str, no: str) -> str:
        """Write an element-wise choice (``where``): both sides are evaluated everywhere."""
        return f"np.where({condition}, {yes}, {no})"
