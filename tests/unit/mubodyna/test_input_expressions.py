"""Statements of the input files: arithmetic, arrays, calls, comments; and what is not read."""

import math
from typing import Any

import numpy as np
import pytest

from mbdgen.errors import ModelError
from mbdgen.mubodyna.assignment_values import evaluate
from mbdgen.mubodyna.parse import parse


def value(text: str) -> Any:
    """Return what ``x`` is after these lines."""
    return evaluate(parse("in.m", text), ["Body_struct"])["x"].value


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("x = 1 + 2*3^2 - -4", 23),
        ("x = -2^2", -4),
        ("x = 2^-1", 0.5),
        ("x = [2 1; 1 3].^2", [[4, 1], [1, 9]]),
        ("x = [2 1; 1 3]^2", [[5, 5], [5, 10]]),
        ("x = 2 + 1 ...", 3),
        ("x = 1e-3 + .5; % a comment", 0.501),
        ("x = [1 2; 3 4]", [[1, 2], [3, 4]]),
        ("x = [1, 2\n 3, 4]", [[1, 2], [3, 4]]),
        ("x = [1 -2]", [[1, -2]]),
        ("x = [1 - 2]", [[-1]]),
        ("x = [1 -2 + 3]", [[1, 1]]),
        ("x = [1 2 ... goes on\n 3]'", [[1], [2], [3]]),
        ("a = [1 2 3]; x = [a' a']", [[1, 1], [2, 2], [3, 3]]),
        ("x = [cos(0); sin(pi/2)*[1; 0]]", [[1], [1], [0]]),
        ("x = [cosd(60) (1+1)/4]", [[0.5, 0.5]]),
        ("x = 0.5*eye(2)", [[0.5, 0], [0, 0.5]]),
        ("x = diag([1 2])*[1; 1]", [[1], [2]]),
        ("x = [1 2; 3 4] .* [2 2; 2 2]", [[2, 4], [6, 8]]),
        ("x = cross([1 0 0], [0 1 0])", [[0, 0, 1]]),
        ("a = [5 6 7]; x = a(2) + a(1, 3)", 13),
        ("x = norm([3 4])/sqrt(25)", 1),
        ("x = atan2(1, 1)*4", math.pi),
        ("if_this = 1; x = if_this", 1),
        ("%{\nx = 3\n%}\nx = 4", 4),
        ("function inSolver\nglobal x y\ninclude_global;\nx = 5; end", 5),
        ("B1 = Body_struct; B1.mass = 3; x = 2*B1.mass", 6),
        ("B1 = Body_struct; B1.r = [1;2;3]; x = B1.r(3)", 3),
    ],
)
def test_values(text: str, expected: Any) -> None:
    assert value(text) == pytest.approx(np.atleast_2d(expected), abs=1e-15)


@pytest.mark.parametrize("text", ["x = diag([])", "x = zeros(1e9)", "x = eye(2)^1e9"])
def test_what_cannot_be_computed_is_a_fault_of_the_line(text: str) -> None:
    with pytest.raises(ModelError, match=r"in\.m:1: "):
        value(text)


def test_texts_and_switches() -> None:
    assert value("x = 'sph pln'") == "sph pln"
    assert value('x = "y" % text') == "y"
    assert value("x = false") is False
    assert value("x = ~false") is True


def test_elements_are_values() -> None:
    """A second element made from the first keeps its fields, and goes its own way."""
    text = "B1 = Body_struct; % frame\nB1.mass = 2;\nB2 = B1;\nB2.mass = 3;\nx = [B1; B2];"
    first, second = value(text)
    assert first.entries["mass"].value == 2 and second.entries["mass"].value == 3
    assert first.note == "frame" and str(second.entries["mass"].place) == "in.m:4"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("y = 1;\nx = y + z;", "in.m:2: 'z' is not known"),
        ("x = foo(3)", "in.m:1: the function 'foo' is not supported"),
        ("for k = 1:3\nend", "in.m:1: 'for' is not supported"),
        ("x = [1 2; 3]", "in.m:1: the rows of an array do not fit"),
        ("x = [1 2]*[3 4]", "cannot be taken of 1x2 and 1x2"),
        ("x = [1 2", "a bracket is not closed"),
        ("x = (1 + 2", r"in.m:1: the line ends where '\)' is expected"),
        ("x = 'abc", "has no end"),
        ("x = 1 ? 2", r"'\?' is not supported"),
        ("x(2) = 1", "not an assignment to a name"),
        ("x = 1 2", "in.m:1: '2' is not supported here"),
        ("x = sqrt(-1)", "value that is not finite"),
        ("x = 1/0", "value that is not finite"),
        ("mubodyna", "in.m:1: 'mubodyna' is not supported"),
        ("B1.mass = 2", "'B1' is not an element yet"),
        ("B1 = Body_struct; x = B1.mass", "B1.mass has no value yet"),
        ("x = [1 2 3](4)", "is not supported here"),
        ("a = [1 2 3]; x = a(4)", "entry 4 of an array of 1 x 3"),
        ("x = 'a' + 1", "applied to a value that is not a number"),
        ("x = [1 'a']", "mixes numbers"),
        ("B1 = Body_struct; x = [B1 1]", "mixes elements with numbers"),
        ("x = @sin", "is not supported here"),
    ],
)
def test_faults(text: str, words: str) -> None:
    with pytest.raises(ModelError, match=words):
        value(text)
