"""Evaluation of a graph in plain Python, for checks and tests; works for complex numbers too."""

import cmath
import math
from collections.abc import Mapping, Sequence
from typing import Any

from mbdgen.symbolic.ir.graph import Graph
from mbdgen.symbolic.ir.operations import ARITHMETIC, COMPARISONS, FUNCTIONS


def evaluate(graph: Graph, roots: Sequence[int], inputs: Mapping[str, Any]) -> list[Any]:
    """Return the values of nodes.

    Complex inputs propagate (for complex-step derivatives); comparisons use real parts. Undefined
    values are NaN, as in compiled code.
    """
    value: dict[int, Any] = {}
    for k in graph.needed(roots):
        op, *args = graph.nodes[k]
        if op == "const":
            value[k] = args[0]
        elif op == "input":
            value[k] = inputs[args[0]]
        elif op == "select":
            value[k] = value[args[1]] if value[args[0]] else value[args[2]]
        elif op in COMPARISONS:
            value[k] = COMPARISONS[op](_real(value[args[0]]), _real(value[args[1]]))
        else:
            try:
                value[k] = _call(op, [value[a] for a in args])
            except (ValueError, ZeroDivisionError, OverflowError):
                value[k] = math.nan
    return [value[k] for k in roots]


def _real(x: Any) -> float:
    return x.real if isinstance(x, complex) else float(x)


def _call(name: str, args: list[Any]) -> Any:
    if name in ARITHMETIC:
        return ARITHMETIC[name](*args)
    if not any(isinstance(x, complex) for x in args):
        return FUNCTIONS[name](*args)
    if name == "atan2":
        return _complex_atan2(*args)
    if name == "abs":
        return args[0] if _real(args[0]) >= 0 else -args[0]
    if name in ("min", "max"):
        return FUNCTIONS[name](args, key=_real)
    if name == "pow":
        return args[0] ** args[1]
    if name in ("sign", "floor"):
        return FUNCTIONS[name](_real(args[0]))
    return getattr(cmath, name)(args[0])


def _complex_atan2(y: Any, x: Any) -> complex:
    """Analytic continuation of atan2 near the real axis, by its first-order expansion."""
    a, b = _real(y), _real(x)
    dy, dx = complex(y).imag, complex(x).imag
    return complex(math.atan2(a, b), (b * dy - a * dx) / (a * a + b * b))
