"""Expressions of series: what they give, and that nothing but arithmetic is ever done."""

import math
import sys

import numpy as np
import pytest

from mbdgen.errors import OptionError
from mbdgen.runtime.results.expression_functions import FUNCTIONS
from mbdgen.runtime.results.result_series import Directory
from mbdgen.runtime.results.series_expressions import LONGEST, check_known, separate
from tests.sample_result import make

RESULT = make()
TIP, ROD, ARM = RESULT["tip"], RESULT["rod.r"], RESULT["arm.r"]
T = RESULT.t
EXPECTED = {
    "tip.x": TIP[:, 0],
    "tip": TIP,
    "tip[1]": TIP[:, 1],
    "pin[1]": RESULT.lam[:, 1],
    "'rod.x.dot' * 2": 2 * RESULT.v[:, 0],
    "energy.kinetic + energy.potential": RESULT["energy.total"],
    "-tip.x**2/3 + +1": 1 - TIP[:, 0] ** 2 / 3,
    "tip*tip.x": TIP * TIP[:, :1],
    "norm(tip)": np.hypot(TIP[:, 0], TIP[:, 1]),
    "norm(tip.x)": np.abs(TIP[:, 0]),
    "dot(rod.r, arm.r)": (ROD * ARM).sum(axis=1),
    "cross(rod.r, (0, 0, 1))": np.cross(ROD, [0.0, 0.0, 1.0]),
    "(tip.x, 2, t)": np.column_stack([TIP[:, 0], np.full(21, 2.0), T]),
    "max(tip.x)": TIP[:, 0].max(),
    "max(tip.x, tip.y, 0)": np.maximum(TIP.max(axis=1), 0),
    "min(tip)": TIP.min(axis=0),
    "atan2(tip.y, tip.x)": np.arctan2(TIP[:, 1], TIP[:, 0]),
    "degrees(pi)": 180.0,
    "unwrap(3*t*100)": 300 * T,
    "sqrt(abs(sign(-t) - exp(log(2))))": np.sqrt(np.abs(-np.sign(T) - 2.0)),
    "radians(asin(sin(t)) + acos(cos(t)) + atan(tan(t)))": np.radians(3 * T),
    "integral(2)": 2 * T,
    "integral((t, 1, 0))[0]": np.concatenate([[0.0], np.cumsum((T[1:] ** 2 - T[:-1] ** 2) / 2)]),
    "diff(t**2)": 2 * T,
    "diff(3)": 0 * T,
}


@pytest.mark.parametrize("text", EXPECTED)
def test_values(text: str) -> None:
    found, expected = RESULT.eval(text), np.asarray(EXPECTED[text])
    assert found.shape == expected.shape
    assert np.abs(found - expected).max() <= 1e-12 * np.abs(expected).max()


def test_every_function_is_tried() -> None:
    tried = " ".join(EXPECTED)
    assert [name for name in FUNCTIONS if f"{name}(" not in tried] == []


def test_angle_of_a_rotation_from_its_euler_parameters() -> None:
    """The sample turns by 3 rad; acos loses half the digits near one."""
    assert np.abs(RESULT.eval("2*acos(rod.p.e0)") - np.linspace(0, 3, 21)).max() < 1e-7


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("norm(tipp.x)", r"nothing called 'tipp.x'. Did you mean 'tip.x'"),
        ("nrm(tip)", r"no function 'nrm'. Did you mean 'norm'"),
        ("arm.q", r"nothing called 'arm.q'. Did you mean .*arm\.p"),
        ("tip[2]", r"'tip' has 2 components, counted from 0"),
        ("tip[t]", r"'tip\[t\]' is no component"),
        ("t[0]", r"'t\[0\]' is no component"),
        ("tip + rod.r", r"vectors of 2 and 3 components"),
        ("cross(tip, tip)", "need vectors of 3 components"),
        ("dot(t, t)", "need vectors"),
        ("norm()", r"'norm' is written as norm\(v\)"),
        ("norm(x=tip)", r"'norm' is written as norm\(v\)"),
        ("(tip, 1)", "consists of series, not of vectors"),
        ("t if t else 1", "is not understood"),
        ("t @ t", "is not understood"),
        ("lambda: 1", "is not understood"),
        ("[x for x in t]", "is not understood"),
        ("__import__('os')", "no function '__import__'"),
        ("t.__class__.__mro__", r"nothing called 't.__class__.__mro__'"),
        ("norm.__globals__", r"nothing called 'norm.__globals__'"),
        ("tip.x.tolist()", "no function 'tip.x.tolist'"),
        ("1j", "1j is no number"),
        ("True", "True is no number"),
        ("9" * 400, "a number is too large"),
        ("rod.lambda", "names that Python does not know"),
        ("norm(", "cannot be read"),
        ("import os", "cannot be read"),
        ("", "is no expression"),
        ("t" * (LONGEST + 1), "and so on is no expression"),
    ],
)
def test_mistakes(text: str, message: str) -> None:
    with pytest.raises(OptionError, match=message):
        RESULT.eval(text)


def test_depth_and_size_are_bounded() -> None:
    for text in ("-" * (LONGEST - 1) + "1", "(" * 900 + "1" + ")" * 900):
        try:
            assert abs(float(RESULT.eval(text))) == 1.0
        except OptionError as error:
            assert "nested too deeply" in str(error) or "cannot be read" in str(error)
    assert sys.getrecursionlimit() >= 1000 and math.isinf(RESULT.eval("9**9**9**9"))


def test_names_are_looked_up_before_a_run() -> None:
    directory = Directory(RESULT.names, bodies=("rod",))
    for text in ("t", "tip", "max(norm(rod.r), pin[0])", "diff(rod.w.x)"):
        check_known(directory, text)
    with pytest.raises(OptionError, match=r"nothing called 'rod\.rr'"):
        check_known(directory, "norm(rod.rr)")


def test_lists_of_expressions() -> None:
    assert separate(" a.x ,max(b, c), 'd, e',, pin[0]") == ["a.x", "max(b, c)", "'d, e'", "pin[0]"]
    assert separate("") == []
