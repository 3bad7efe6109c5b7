"""SymPy expressions become nodes of the same value and derivative, or an error of ours."""

import math
from typing import Any

import pytest
import sympy
from sympy import S

from mbdgen.errors import BuildError
from mbdgen.symbolic.derive.algebra_engines import make_engine
from mbdgen.symbolic.derive.sympy_conversion import Converter
from mbdgen.symbolic.ir.graph import GraphBuilder
from mbdgen.symbolic.ir.graph_evaluation import evaluate

x, y = sympy.symbols("x y", real=True)
SUPPORTED = (
    sympy.sin(x),
    sympy.cos(x),
    sympy.tan(x),
    sympy.cot(x),
    sympy.sec(x),
    sympy.csc(x),
    sympy.coth(x),
    sympy.sech(x),
    sympy.csch(x),
    sympy.asin(x / 3),
    sympy.acos(x / 3),
    sympy.atan(x),
    sympy.atan2(x, y),
    sympy.sinh(x),
    sympy.cosh(x),
    sympy.tanh(x),
    sympy.exp(x * y),
    sympy.exp(-(x**2)),
    sympy.log(x**2 + 1),
    sympy.Abs(x),
    sympy.sign(x) * y,
    sympy.Heaviside(x) * y,
    sympy.Min(x, y),
    sympy.Max(x, y, 1),
    sympy.sqrt(x**2 + y**2),
    (x**2 + 1) ** S("-3/2"),
    (x**2 + 1) ** S("5/2"),
    (x**2 + 1) ** S("1/3"),
    (x**2 + 1) ** y,
    (x**2 + 1) ** S("0.7"),
    2**x,
    x**7,
    x**-3,
    x / (y * (1 + x**2)),
    -x / 3 + S("2/7") * y - 5,
    sympy.pi * x + sympy.E,
    sympy.Piecewise((x, x > y), (y**2, True)),
    sympy.Piecewise((x, (x > 0) & (y > 0)), (y, (x < 0) | (y >= 2)), (x * y, True)),
    sympy.Piecewise((x, sympy.Not(x > y)), (y, True)),
    sympy.Piecewise((x, x <= 1), (2, sympy.Eq(y, 0.6)), (0, True)),
    sympy.Piecewise((x, sympy.Ne(y, 0.6)), (y, True)),
)
POINTS = ((0.8, 0.6), (-0.8, 0.6), (1.7, -1.2), (-0.4, -0.5))


def converted(expr: Any, at: tuple[float, float]) -> float:
    builder = GraphBuilder()
    root = Converter(builder).node(expr)
    return float(evaluate(builder.finish(), [root], {"x": at[0], "y": at[1]})[0])


def expected(expr: Any, at: tuple[float, float]) -> float:
    return float(expr.subs({x: sympy.Float(at[0], 30), y: sympy.Float(at[1], 30)}).evalf(20))


@pytest.mark.parametrize("expr", SUPPORTED, ids=str)
def test_value(expr: Any) -> None:
    for at in POINTS:
        assert converted(expr, at) == pytest.approx(expected(expr, at), rel=1e-13, abs=1e-14)


@pytest.mark.parametrize("engine", ["sympy", "symengine"])
@pytest.mark.parametrize("expr", SUPPORTED, ids=str)
def test_derivative(expr: Any, engine: str) -> None:
    if engine == "symengine":
        pytest.importorskip("symengine")
    algebra = make_engine(engine)
    for symbol in (x, y):
        given = algebra.partial(algebra.convert(expr), algebra.symbol(symbol.name))
        derivative = algebra.to_sympy(given)
        for at in POINTS:
            h = 1e-4
            moved = [
                (at[0] + k * h * (symbol == x), at[1] + k * h * (symbol == y)) for k in (-1, 1)
            ]
            if any(_jumps(expr, m) != _jumps(expr, at) for m in moved):
                continue
            below, above = (converted(expr, m) for m in moved)
            slope = (above - below) / (2 * h)
            assert converted(derivative, at) == pytest.approx(slope, rel=1e-5, abs=1e-5)


@pytest.mark.parametrize("engine", ["sympy", "symengine"])
@pytest.mark.parametrize("extreme", [sympy.Max, sympy.Min])
def test_sides_of_a_tie_count_half(extreme: Any, engine: str) -> None:
    """Both differences are x, so their slope is 1 at the corner, too."""
    if engine == "symengine":
        pytest.importorskip("symengine")
    algebra = make_engine(engine)
    whole = extreme(x, 0) - extreme(-x, 0)
    slope = algebra.to_sympy(algebra.partial(algebra.convert(whole), algebra.symbol("x")))
    for at in (-0.3, 0.0, 0.3):
        assert converted(slope, (at, 0.0)) == 1.0


@pytest.mark.parametrize("at_zero", [0, S.Half, 1])
def test_value_of_a_step_at_its_corner(at_zero: Any) -> None:
    step = sympy.Heaviside(x, at_zero)
    assert [converted(step, (at, 0.0)) for at in (-0.3, 0.0, 0.3)] == [0, float(at_zero), 1]


def _jumps(expr: Any, at: tuple[float, float]) -> list[bool]:
    """On which side of every condition a point lies."""
    conditions = expr.atoms(sympy.core.relational.Relational)
    return [bool(c.subs({x: at[0], y: at[1]})) for c in sorted(conditions, key=str)]


@pytest.mark.parametrize(
    "expr",
    [
        sympy.gamma(x),
        sympy.Function("f")(x),
        sympy.Derivative(sympy.Function("f")(x), x),
        sympy.besselj(0, x),
        sympy.floor(x),
        sympy.Integral(sympy.exp(-(x**2)) * sympy.Function("g")(x), (x, 0, y)),
    ],
    ids=str,
)
def test_unsupported_function(expr: Any) -> None:
    with pytest.raises(BuildError, match=expr.func.__name__):
        converted(expr, (0.3, 0.4))


@pytest.mark.parametrize("expr", [sympy.I * x, sympy.sqrt(-2) + x, sympy.zoo * x, sympy.nan + x])
def test_what_is_not_a_real_number(expr: Any) -> None:
    with pytest.raises(BuildError, match=r"complex|finite|number"):
        converted(expr, (0.3, 0.4))


def test_definitions_are_converted_once_and_named() -> None:
    builder, s = GraphBuilder(), sympy.Symbol("s", real=True)
    converter = Converter(builder, {s: x * y})
    k = converter.node(s + 1)
    assert converter.node(s) == converter.node(x * y)
    graph = builder.finish()
    assert dict(graph.labels) == {converter.node(s): "s"}
    assert evaluate(graph, [k], {"x": 2.0, "y": 3.0}) == [7.0]


def test_exact_numbers_are_rounded_once() -> None:
    assert converted(S("1/3") * x, (3.0, 0.0)) == 1.0
    assert converted(sympy.pi + 0 * x, (0.0, 0.0)) == math.pi
    assert converted(S("1e-200") * x, (1.0, 0.0)) == 1e-200
