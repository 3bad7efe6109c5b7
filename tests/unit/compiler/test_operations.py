"""Every function of the graph is known to whatever turns it into something else."""

import math

import pytest
import sympy

from mbdgen.emit.backends import find_backend, known
from mbdgen.emit.printer import PrintedText
from mbdgen.language.expressions.piecewise_index import Rounds
from mbdgen.symbolic.derive.sympy_conversion import Converter
from mbdgen.symbolic.ir.graph import GraphBuilder
from mbdgen.symbolic.ir.operations import FUNCTIONS

TWO = ("atan2", "pow", "min", "max")
POINT = (0.7, 0.4)
X, Y = sympy.symbols("x y", real=True)
WRITTEN = {
    **{name: getattr(sympy, name)(X) for name in ("sqrt", "sin", "cos", "tan", "exp", "log")},
    **{name: getattr(sympy, name)(X) for name in ("asin", "acos", "atan", "sinh", "cosh", "tanh")},
    "abs": sympy.Abs(X),
    "sign": sympy.sign(X),
    "floor": Rounds(X),
    "atan2": sympy.atan2(X, Y),
    "pow": X**Y,
    "min": sympy.Min(X, Y),
    "max": sympy.Max(X, Y),
}


def arguments(name: str) -> tuple[float, ...]:
    return POINT[: 2 if name in TWO else 1]


@pytest.mark.parametrize("name", FUNCTIONS)
def test_sympy_expressions_become_it(name: str) -> None:
    builder = GraphBuilder()
    node = Converter(builder).node(WRITTEN[name])
    assert builder.finish().nodes[node][0] == name


@pytest.mark.parametrize("backend", known())
@pytest.mark.parametrize("name", FUNCTIONS)
def test_every_language_can_write_it(name: str, backend: str) -> None:
    texts = [PrintedText(c, name=True) for c in "xy"[: len(arguments(name))]]
    written = find_backend(backend).printer.node((name, *range(len(texts))), texts).text
    assert "x" in written and written.count("(") == written.count(")") >= 1


@pytest.mark.parametrize("name", FUNCTIONS)
def test_python_computes_the_same(name: str) -> None:
    """What is written for Numba gives the number that constants are folded to."""
    values = arguments(name)
    texts = [PrintedText(c, name=True) for c in "xy"[: len(values)]]
    written = find_backend("numba").printer.node((name, *range(len(texts))), texts).text
    given = {"math": math, **dict(zip("xy", values, strict=False))}
    assert eval(written, given) == pytest.approx(FUNCTIONS[name](*values), rel=1e-15)


def test_the_list_is_complete() -> None:
    assert set(WRITTEN) == set(FUNCTIONS)
