"""The graph: equal things are one node, numbers fold, identities of 0, 1 and minus are applied."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mbdgen.errors import BuildError
from mbdgen.symbolic.ir.graph import GraphBuilder
from mbdgen.symbolic.ir.graph_evaluation import evaluate
from mbdgen.symbolic.ir.operations import FUNCTIONS
from tests.unit.kernels.element import evaluate_many


@pytest.fixture
def b() -> GraphBuilder:
    return GraphBuilder()


def value(b: GraphBuilder, k: int, **inputs: float) -> float:
    return evaluate(b.finish(), [k], inputs)[0]


def test_equal_things_are_one_node(b: GraphBuilder) -> None:
    x, y = b.input("x"), b.input("y")
    assert b.input("x") == x
    assert b.add(x, y) == b.add(y, x)
    assert b.mul(x, y) == b.mul(y, x)
    assert b.call("sin", b.mul(x, y)) == b.call("sin", b.mul(y, x))
    assert b.sub(x, y) != b.sub(y, x)
    assert b.const(2) == b.const(2.0)
    assert b.const(0.0) == b.const(-0.0)


def test_identities(b: GraphBuilder) -> None:
    x, zero, one = b.input("x"), b.const(0), b.const(1)
    assert b.add(x, zero) == b.add(zero, x) == b.sub(x, zero) == x
    assert b.mul(x, one) == b.mul(one, x) == b.div(x, one) == x
    assert b.mul(x, zero) == b.div(zero, x) == b.sub(x, x) == zero
    assert b.neg(b.neg(x)) == x
    assert b.sub(zero, x) == b.neg(x) == b.mul(x, b.const(-1))
    assert b.power(x, 1) == x
    assert b.power(x, 0) == one
    assert b.select(one, x, zero) == x
    assert b.select(b.compare("lt", x, zero), x, x) == x


def test_numbers_fold(b: GraphBuilder) -> None:
    two, three = b.const(2), b.const(3)
    assert b.add(two, three) == b.const(5)
    assert b.sub(two, three) == b.const(-1)
    assert b.mul(two, three) == b.const(6)
    assert b.div(three, two) == b.const(1.5)
    assert b.power(two, -2) == b.const(0.25)
    assert b.call("sqrt", b.const(9)) == three
    assert b.compare("lt", two, three) == b.const(1)
    assert b.total([two, three, b.const(-5)]) == b.const(0)
    assert not [n for n in b.finish().nodes if n[0] != "const"]


def test_what_is_not_defined_is_left_to_run_time(b: GraphBuilder) -> None:
    zero, minus = b.const(0), b.const(-1)
    for k in (b.call("sqrt", minus), b.call("log", zero), b.div(minus, zero)):
        assert b.finish().nodes[k][0] != "const"


def test_minus_signs_move_out(b: GraphBuilder) -> None:
    x, y = b.input("x"), b.input("y")
    minus_x, minus_y = b.neg(x), b.neg(y)
    assert b.mul(minus_x, minus_y) == b.mul(x, y)
    assert b.mul(minus_x, y) == b.neg(b.mul(x, y))
    assert b.add(x, minus_y) == b.sub(x, y)
    assert b.add(minus_x, minus_y) == b.neg(b.add(x, y))
    assert b.sub(y, x) == b.neg(b.sub(x, y))


def test_needed_and_operation_count(b: GraphBuilder) -> None:
    x, y = b.input("x"), b.input("y")
    s = b.add(x, y)
    p = b.mul(s, s)
    b.call("sin", x)
    graph = b.finish()
    assert graph.needed([p]) == [x, y, s, p]
    assert graph.operation_count([p, s]) == 2
    assert graph.inputs == {"x": x, "y": y}


def test_first_label_stays(b: GraphBuilder) -> None:
    s = b.add(b.input("x"), b.input("y"))
    b.label(s, "first")
    b.label(s, "second")
    b.label(b.input("x"), "not for inputs")
    assert b.finish().labels == ((s, "first"),)


def test_inline_specialises(b: GraphBuilder) -> None:
    inner = GraphBuilder()
    x, k = inner.input("x"), inner.input("k")
    root = inner.add(inner.mul(x, k), inner.call("cos", k))
    inner.label(root, "load")
    graph = inner.finish()
    z = b.input("z")
    (plain,) = b.inline(graph, [root], {"x": z, "k": b.const(2)}, {root: "one_load"})
    (gone,) = b.inline(graph, [root], {"x": z, "k": b.const(0)}, {root: "two_load"})
    assert gone == b.const(1)
    assert value(b, plain, z=3.0) == 6 + math.cos(2)
    assert (plain, "one_load") in b.finish().labels
    (again,) = b.inline(graph, [root], {"x": z, "k": b.const(2)})
    assert again == plain


def test_unknown_function(b: GraphBuilder) -> None:
    with pytest.raises(BuildError, match="gamma"):
        b.call("gamma", b.input("x"))


SMOOTH = sorted(set(FUNCTIONS) - {"atan2", "pow", "min", "max", "asin", "acos", "log", "sqrt"})
numbers = st.floats(-3, 3, allow_nan=False).filter(lambda x: abs(x) > 1e-3)


@given(numbers, numbers, st.sampled_from(SMOOTH), st.integers(-3, 3))
def test_rewriting_keeps_the_value(x: float, y: float, function: str, n: int) -> None:
    """The same formula with and without inputs that are known."""

    def formula(b: GraphBuilder, p: int, q: int) -> int:
        ratio = b.div(b.sub(p, q), b.add(b.mul(q, q), b.const(1)))
        f = b.call(function, b.neg(b.mul(ratio, b.const(-2))))
        bounded = b.call("max", b.call("min", f, p), b.const(-1))
        choice = b.select(b.compare("le", p, q), b.power(q, n), b.neg(f))
        return b.add(b.sub(bounded, b.neg(choice)), b.call("atan2", p, q))

    live, known = GraphBuilder(), GraphBuilder()
    a = formula(live, live.input("x"), live.input("y"))
    k = formula(known, known.const(x), known.const(y))
    assert known.finish().nodes[k][0] == "const"
    found, folded = value(live, a, x=x, y=y), value(known, k)
    assert found == pytest.approx(folded, rel=1e-12, abs=1e-12)


def test_evaluate_with_complex_numbers_is_the_derivative(b: GraphBuilder) -> None:
    x, y = b.input("x"), b.input("y")
    roots = [b.call(f, x) for f in (*SMOOTH, "asin", "acos", "log", "sqrt")]
    roots += [b.call("atan2", x, y), b.call("pow", x, y), b.call("min", x, y), b.call("max", x, y)]
    roots += [b.select(b.compare("lt", x, y), b.mul(x, x), y)]
    graph, h = b.finish(), 1e-30
    for at in (0.3, 0.7):
        step = evaluate(graph, roots, {"x": at + 1j * h, "y": 0.5})
        derivative = np.array([complex(z).imag / h for z in step])
        d = 1e-6
        ahead = np.array(evaluate(graph, roots, {"x": at + d, "y": 0.5}))
        behind = np.array(evaluate(graph, roots, {"x": at - d, "y": 0.5}))
        np.testing.assert_allclose(derivative, (ahead - behind) / (2 * d), atol=1e-8)
        many = evaluate_many(graph, roots[-5:], {"x": np.array([at + 1j * h]), "y": 0.5})
        np.testing.assert_allclose(many[:, 0].imag / h, derivative[-5:], rtol=1e-14)


@pytest.mark.parametrize(
    ("operation", "numbers"),
    [
        ("log", [-1.0]),
        ("log", [0.0]),
        ("sqrt", [-1.0]),
        ("acos", [2.0]),
        ("exp", [1e3]),
        ("div", [1.0, 0.0]),
    ],
)
def test_what_has_no_value_is_not_a_number(operation: str, numbers: list[float]) -> None:
    b = GraphBuilder()
    names = [b.input(f"x{k}") for k in range(len(numbers))]
    node = b.div(*names) if operation == "div" else b.call(operation, *names)
    (found,) = evaluate(b.finish(), [node], {f"x{k}": x for k, x in enumerate(numbers)})
    assert np.isnan(found)
