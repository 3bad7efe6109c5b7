"""Derivatives of graphs against the complex step."""

import math

import numpy as np
import pytest
import sympy

from mbdgen.symbolic.derive.sympy_conversion import Converter
from mbdgen.symbolic.ir.graph import GraphBuilder
from mbdgen.symbolic.ir.graph_evaluation import evaluate
from mbdgen.symbolic.ir.graph_gradient import gradients
from mbdgen.symbolic.ir.operations import FUNCTIONS

POINT = {"x": 0.37, "y": 0.81}
ONE = [n for n in FUNCTIONS if n not in ("pow", "min", "max", "atan2")]


def _check(build) -> None:
    b = GraphBuilder()
    x, y = b.input("x"), b.input("y")
    root = build(b, x, y)
    one = b.const(1.0)
    (gradient,) = gradients(b, [root], {x: {0: one}, y: {1: one}})
    for direction, name in enumerate("xy"):
        step = {**POINT, name: complex(POINT[name], 1e-30)}
        (value,) = evaluate(b.finish(), [root], step)
        expected = complex(value).imag / 1e-30
        node = gradient.get(direction)
        found = 0.0 if node is None else evaluate(b.finish(), [node], POINT)[0]
        assert found == pytest.approx(expected, rel=1e-13, abs=1e-13)


@pytest.mark.parametrize("name", ONE)
def test_functions_of_one_argument(name):
    _check(lambda b, x, y: b.call(name, b.mul(x, y)))


@pytest.mark.parametrize("name", ["pow", "min", "max", "atan2"])
@pytest.mark.parametrize("swapped", [False, True])
def test_functions_of_two_arguments(name, swapped):
    _check(lambda b, x, y: b.call(name, b.mul(x, x), b.add(x, y) if swapped else y))
    _check(lambda b, x, y: b.call(name, y, b.add(x, y)) if swapped else b.call(name, x, y))


@pytest.mark.parametrize("name", ["add", "sub", "mul", "div"])
def test_arithmetic(name):
    _check(lambda b, x, y: getattr(b, name)(b.mul(x, y), b.add(b.mul(x, x), y)))
    _check(lambda b, x, y: b.neg(getattr(b, name)(b.const(3.0), y)))


@pytest.mark.parametrize("relation", ["lt", "le", "eq"])
def test_choice(relation):
    _check(lambda b, x, y: b.select(b.compare(relation, x, y), b.mul(x, y), b.mul(y, y)))
    _check(lambda b, x, y: b.select(b.compare(relation, y, x), b.mul(x, y), b.mul(y, y)))


def test_an_input_without_a_seed_is_constant():
    b = GraphBuilder()
    x, y = b.input("x"), b.input("y")
    (gradient,) = gradients(b, [b.mul(x, y)], {x: {5: b.const(1.0)}})
    assert gradient == {5: y}


@pytest.mark.parametrize("swapped", [False, True])
@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_sides_of_a_tie_count_half(swapped, sign):
    """max(x, 0) - max(-x, 0) and min(x, 0) - min(-x, 0) are both x: of slope 1 also at 0."""
    for name in ("max", "min"):
        b = GraphBuilder()
        x, zero = b.input("x"), b.const(0.0)
        sides = [(x, zero), (b.neg(x), zero)]
        up, down = (b.call(name, *(reversed(s) if swapped else s)) for s in sides)
        root = b.mul(b.const(sign), b.sub(up, down))
        (gradient,) = gradients(b, [root], {x: {0: b.const(1.0)}})
        for at in (-0.3, 0.0, 0.3):
            assert evaluate(b.finish(), [gradient[0]], {"x": at}) == [sign]


X, N = sympy.Symbol("x", real=True), sympy.Symbol("n", real=True)
POWERS = [
    sympy.Max(X, 0) ** sympy.Rational(3, 2),
    sympy.Max(X, 0) ** 1.5,
    sympy.Max(X, 0) ** N,
    (3 * sympy.Max(X, 0) / N) ** N,
    X * sympy.Max(0, X) ** sympy.Rational(3, 2),
    sympy.Abs(sympy.Max(X, 0)) ** sympy.Rational(3, 2),
    sympy.sqrt(sympy.Max(X, 0)),
]


@pytest.mark.parametrize("stated", [0, 1, 2])
@pytest.mark.parametrize("power", POWERS, ids=str)
def test_powers_of_clipped_numbers_rest(power, stated):
    """By SymPy to any order, then twice more by the graph: numbers, and 0 where nothing presses."""
    b = GraphBuilder()
    nodes = [Converter(b).node(sympy.diff(power, X, stated))]
    seeds = {b.input("x"): {0: b.const(1.0)}, b.input("n"): {1: b.const(1.0)}}
    for _ in range(2):
        (found,) = gradients(b, nodes[-1:], seeds)
        nodes += [found.get(1, b.const(0.0)), found.get(0, b.const(0.0))]
    for at in (-0.3, -1e-300, 0.0):
        values = evaluate(b.finish(), nodes, {"x": at, "n": 1.5})
        assert np.isfinite(values).all() and not np.any(values)
    values = evaluate(b.finish(), nodes, {"x": 0.3, "n": 1.5})
    for order, value in ((0, values[0]), (1, values[2]), (2, values[4])):
        wanted = sympy.diff(power, X, stated + order).subs({N: 1.5, X: 0.3})
        assert value == pytest.approx(float(wanted), rel=1e-12)
    by_exponent = sympy.diff(power, X, stated).diff(N).subs({N: 1.5, X: 0.3})
    assert values[1] == pytest.approx(float(by_exponent), rel=1e-12)


def test_roots_stay_steep():
    """A root of what is not clipped has no slope at zero."""
    b = GraphBuilder()
    x = b.input("x")
    (found,) = gradients(b, [b.call("sqrt", x)], {x: {0: b.const(1.0)}})
    assert math.isnan(evaluate(b.finish(), [found[0]], {"x": 0.0})[0])
