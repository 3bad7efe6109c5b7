"""The tape: names, and derivatives by the chain rule along them."""

import pytest
import sympy

from mbdgen.symbolic.derive.algebra_engines import make_engine
from mbdgen.symbolic.derive.tape import Tape


@pytest.fixture(params=["sympy", "symengine"])
def tape(request: pytest.FixtureRequest) -> Tape:
    if request.param == "symengine":
        pytest.importorskip("symengine")
    return Tape(make_engine(request.param))


def expanded(tape: Tape, expr: object) -> sympy.Expr:
    """Put all definitions in the place of their names."""
    definitions = {
        tape.engine.to_sympy(s): tape.engine.to_sympy(e) for s, e in tape.definitions.items()
    }
    result = tape.engine.to_sympy(tape.engine.convert(expr))
    while result.free_symbols & set(definitions):
        result = result.xreplace(definitions)
    return result


def test_names_are_unique_and_atoms_need_none(tape: Tape) -> None:
    x = tape.input("x")
    assert tape.name("n", x) == x
    assert tape.name("n", 3) == tape.engine.convert(3)
    one, two = tape.name("n", x + 1), tape.name("n", x + 2)
    assert (str(one), str(two)) == ("n", "n_2")


def test_derivative_through_names(tape: Tape) -> None:
    x, y = tape.input("x"), tape.input("y")
    s = tape.name("s", x**2 * y)
    u = tape.name("u", s**2 + x)
    e = u * s
    plain = expanded(tape, e)
    for symbol in ("x", "y"):
        given = expanded(tape, tape.derivative(e, tape.input(symbol)))
        wanted = sympy.diff(plain, sympy.Symbol(symbol, real=True))
        assert sympy.expand(given - wanted) == 0


def test_second_derivative(tape: Tape) -> None:
    x = tape.input("x")
    s = tape.name("s", x**3)
    first = tape.derivative(s * s, x)
    second = expanded(tape, tape.derivative(first, x))
    assert sympy.expand(second - 30 * sympy.Symbol("x", real=True) ** 4) == 0


def test_rate_follows_the_seeds(tape: Tape) -> None:
    x, v, a, t = (tape.input(n) for n in ("x", "v", "a", "t"))
    seeds = {x: v, v: a, t: 1}
    s = tape.name("s", x**2 + t)
    first = tape.rate(s, seeds)
    second = tape.rate(first, seeds)
    names = {n: sympy.Symbol(n, real=True) for n in "xva"}
    assert sympy.expand(expanded(tape, first) - (2 * names["x"] * names["v"] + 1)) == 0
    wanted = 2 * names["v"] ** 2 + 2 * names["x"] * names["a"]
    assert sympy.expand(expanded(tape, second) - wanted) == 0


def test_what_does_not_depend_has_no_derivative(tape: Tape) -> None:
    x, y = tape.input("x"), tape.input("y")
    s = tape.name("s", x**2)
    assert tape.derivative(s, y) == 0
    assert tape.rate(s, {y: tape.input("v")}) == 0


def test_distinct_names_even_for_single_symbols(tape: Tape) -> None:
    x = tape.input("x")
    first, second = tape.distinct("r", (x, 0, x)), tape.distinct("r", (x, 0, x))
    assert first[0] != second[0]
    assert first[1] == 0
    assert expanded(tape, first[0]) == sympy.Symbol("x", real=True)


def test_name_of_an_input_is_not_taken(tape: Tape) -> None:
    """A result that would be called like an input gets another name."""
    x = tape.input("x")
    s = tape.name("x", x**2)
    assert s != x
