"""Numbers of the language: what is accepted, what is refused, and how the refusal reads."""

import subprocess
import sys
from fractions import Fraction

import numpy as np
import pytest
import sympy

from mbdgen.errors import ModelError
from mbdgen.language.expressions import scalars
from mbdgen.language.expressions.scalars import (
    as_scalar,
    entries,
    is_number,
    matrix33,
    value_of,
    vector,
)

L = sympy.Symbol("L", real=True)


@pytest.mark.parametrize(
    "x",
    [2, 2.0, np.float32(2), np.int64(2), Fraction(4, 2), np.array(2.0), sympy.Integer(2), 8 / 4],
)
def test_every_kind_of_number_becomes_a_float(x):
    assert as_scalar(x, "mass") == 2.0
    assert type(as_scalar(x, "mass")) is float


def test_constant_expressions_become_floats_and_others_stay():
    assert as_scalar(sympy.pi / 2, "angle") == np.pi / 2
    assert as_scalar(sympy.Rational(1, 12), "inertia") == 1 / 12
    assert as_scalar(2 * L, "length") == 2 * L
    assert as_scalar(L - L, "length") == 0.0


@pytest.mark.parametrize(
    ("x", "complaint"),
    [
        (float("nan"), "mass of body 'rod' is nan"),
        (np.float64("inf"), "is inf"),
        (10**400, "is inf"),
        (True, "is True, not a number"),
        (np.True_, "not a number"),
        (sympy.true, "not a number"),
        (L < 1, "not a number"),
        (None, "is None, not a number"),
        ("1.0", "is '1.0', not a number"),
        ([1.0], "not a number"),
        (np.array([1.0]), "not a number"),
        (sympy.MatrixSymbol("A", 3, 3), "not a number"),
        (1j, "is complex"),
        (np.complex128(1), "is complex"),
        (sympy.I, "is complex"),
        (sympy.I * L, "is complex"),
        (sympy.nan, "not finite"),
        (sympy.oo * L, "not finite"),
        (sympy.sqrt(-2), "is complex"),
        ("x" * 500, "..."),
    ],
)
def test_anything_else_is_refused_with_its_name(x, complaint):
    with pytest.raises(ModelError) as caught:
        as_scalar(x, "mass of body 'rod'")
    assert str(caught.value).startswith("mass of body 'rod' ")
    assert complaint in str(caught.value)
    assert len(str(caught.value)) < 200
    assert "\n" not in str(caught.value)


def test_is_number():
    assert is_number(1) and is_number(np.float64(1)) and is_number(Fraction(1, 2))
    assert not (is_number(True) or is_number(L) or is_number(1j) or is_number("1"))


def test_value_at_the_defaults():
    g = sympy.Symbol("g")
    expression = sympy.sqrt(L) * sympy.sin(g) / 3
    assert value_of(expression, {L: 0.1, g: 0.2}) == pytest.approx(
        np.sqrt(0.1) * np.sin(0.2) / 3, rel=1e-15
    )
    assert value_of(3, None) == 3.0


@pytest.mark.parametrize(
    ("expression", "defaults", "complaint"),
    [
        (L + sympy.Symbol("b"), {L: 1.0}, "length contains b, which is not a parameter"),
        (L, None, "defaults={symbol: value}"),
        (1 / L, {L: 0.0}, "not finite"),
        (sympy.sqrt(L), {L: -1.0}, "complex"),
        (sympy.log(L), {L: 0.0}, "not finite"),
        (L, {L: float("nan")}, "L is nan"),
        (sympy.Function("f")(L), {L: 1.0}, "no numeric value"),
    ],
)
def test_value_that_does_not_exist(expression, defaults, complaint):
    with pytest.raises(ModelError) as caught:
        value_of(expression, defaults, "length")
    assert complaint in str(caught.value)


@pytest.mark.parametrize(
    "x",
    [
        [1, 2, 3],
        (1.0, 2.0, 3.0),
        np.arange(1, 4),
        sympy.Matrix([1, 2, 3]),
        sympy.Matrix([[1, 2, 3]]),
        sympy.Tuple(1, 2, 3),
    ],
)
def test_every_kind_of_vector_becomes_a_tuple(x):
    assert vector(x, 3, "point") == (1.0, 2.0, 3.0)


@pytest.mark.parametrize("x", [1.0, "abc", {1, 2, 3}, {1: 1, 2: 2, 3: 3}, None, [1, 2], np.eye(2)])
def test_what_is_not_a_vector_is_refused(x):
    with pytest.raises(ModelError, match=r"point needs 3 numbers, got .*Give a list of 3 numbers"):
        vector(x, 3, "point")


def test_wrong_entry_is_named():
    with pytest.raises(ModelError, match="component 2 of point is nan"):
        vector((0, float("nan"), 0), 3, "point")
    with pytest.raises(ModelError, match="component 3 of row 2 of tensor is 'a'"):
        matrix33([[1, 0, 0], [0, 1, "a"], [0, 0, 1]], "tensor")


@pytest.mark.parametrize("x", [np.eye(3), np.eye(3).tolist(), sympy.eye(3), tuple(np.eye(3))])
def test_every_kind_of_matrix_becomes_rows(x):
    assert matrix33(x, "tensor") == ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))


@pytest.mark.parametrize("x", [np.eye(2), np.ones(3), 1, None, [[1, 2, 3], [1, 2], [1, 2, 3]]])
def test_what_is_not_3_by_3_is_refused(x):
    with pytest.raises(ModelError, match="tensor"):
        matrix33(x, "tensor")


def test_entries_of_what_has_no_order():
    assert entries({1, 2}) is None
    assert entries("ab") is None
    assert entries(np.array(1.0)) is None


def test_functions_take_numbers_and_expressions():
    for name in ("sqrt", "sin", "cos"):
        function = getattr(scalars, name)
        assert function(0.3) == getattr(np, name)(0.3)
        assert function(L) == getattr(sympy, name)(L)
    with pytest.raises(ModelError, match="sqrt"):
        scalars.sqrt(-1.0)


def test_sympy_is_not_imported():
    code = (
        "import sys; from mbdgen.language.bodies import homogeneous_shapes as shapes;"
        "from mbdgen.language.bodies import orientation as o;"
        "o.euler('zxz', 1, 2, 3).matrix(); shapes.rod(1, 2); assert 'sympy' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
