"""Operations of the graph, with their numeric evaluation.

A new function needs an entry here, a derivative in `mbdgen.symbolic.ir.graph_gradient`, its SymPy
class in `mbdgen.symbolic.derive.sympy_conversion`, and a name in the printer of every language;
tests check each of them.
"""

import math
from collections.abc import Callable
from typing import Any

ARITHMETIC: dict[str, Callable[..., Any]] = {
    "neg": lambda a: -a,
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
    "div": lambda a, b: a / b,
}
FUNCTIONS: dict[str, Callable[..., float]] = {
    "sqrt": math.sqrt,
    "sin": math.sin,
    "cos": math.cos,
    "tan": math.tan,
    "asin": math.asin,
    "acos": math.acos,
    "atan": math.atan,
    "atan2": math.atan2,
    "sinh": math.sinh,
    "cosh": math.cosh,
    "tanh": math.tanh,
    "exp": math.exp,
    "log": math.log,
    "abs": abs,
    "sign": lambda x: math.copysign(1.0, x) if x != 0.0 else 0.0,
    "floor": lambda x: float(math.floor(x)),
    "pow": math.pow,
    "min": min,
    "max": max,
}
COMPARISONS: dict[str, Callable[[float, float], bool]] = {
    "lt": lambda a, b: a < b,
    "le": lambda a, b: a <= b,
    "eq": lambda a, b: a == b,
}
