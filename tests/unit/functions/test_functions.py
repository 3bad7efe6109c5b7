"""Functions of time: values and exact derivatives against mpmath and published coefficients."""

from collections.abc import Callable
from typing import Any

import mpmath
import numpy as np
import pytest
import sympy

from mbdgen import Model
from mbdgen import functions as f
from mbdgen.errors import ModelError
from mbdgen.functions import TimeFunction

TIMES, HEIGHTS = (0.0, 0.4, 1.1, 1.5, 2.0), (0.2, -0.3, 0.5, 0.4, 0.2)


def by_powers(start: float, first: float, *c: float) -> Callable[[Any], Any]:
    """Return first + c_1 xi^3 + c_2 xi^4 + ..., as published."""
    return lambda x: first + sum(a * (x - start) ** k for k, a in enumerate(c, 3))


F, X = 0.6, 0.8
CASES: list[tuple[TimeFunction, Callable[[Any], Any], tuple[float, ...]]] = [
    (f.polynomial(5, 2, 1.5), lambda x: 5 + 2 * x + 1.5 * x**2, (-1.0, 0.0, 3.0)),
    (
        f.quintic(0.1, 0.9, 0.2, 0.8),
        by_powers(0.1, 0.2, 10 * F / X**3, -15 * F / X**4, 6 * F / X**5),
        (0.15, 0.5, 0.85),
    ),
    (
        f.rise_and_return(0, 0.6, 1.2, peak=mpmath.pi / 6 + 0.0),
        by_powers(0, 0, 19.39255, -48.48137, 40.40114, -11.22254, 0),
        (0.1, 0.3, 0.6, 0.9),
    ),
    (
        f.rise_and_return(0, 0.4, 0.8, 0, 1.0, 0.8),
        by_powers(0, 0, 184.375, -896.484375, 1684.5703125, -1428.22265625, 457.763671875),
        (0.1, 0.4, 0.7),
    ),
    (f.harmonic(0.3, 5, 0.2, 1), lambda x: 1 + 0.3 * mpmath.sin(5 * x + 0.2), (-0.3, 1.7)),
    (f.gaussian(1, 0.2, 3), lambda x: 3 * mpmath.exp(-((x - 1) ** 2) / 0.08), (0.7, 1.0, 1.3)),
    (f.ramp(1, 3, -1, 2), lambda x: -1 + 1.5 * (x - 1), (1.2, 2.9)),
    (f.versine(0, 2, 0, 3), lambda x: 3 * mpmath.sin(mpmath.pi * x / 4) ** 2, (0.2, 1.0, 1.9)),
    (
        f.cycloid(1, 2),
        lambda x: x - 1 - mpmath.sin(2 * mpmath.pi * (x - 1)) / (2 * mpmath.pi),
        (1.1, 1.9),
    ),
    (f.formula(lambda t: sympy.sin(t**2)), lambda x: mpmath.sin(x**2), (-0.4, 2.0)),
    (
        f.harmonic(1, 2) * f.polynomial(1, 3) - 2 / f.polynomial(1, 0, 1) + 1,
        lambda x: mpmath.sin(2 * x) * (1 + 3 * x) - 2 / (1 + x**2) + 1,
        (-0.5, 0.8),
    ),
    (
        f.quintic(0, 1)(f.harmonic(0.5, 3, mean=0.5)) ** 2,
        lambda x: by_powers(0, 0, 10, -15, 6)((1 + mpmath.sin(3 * x)) / 2) ** 2,
        (0.3, 1.3),
    ),
]


@pytest.mark.parametrize(("function", "exact", "places"), CASES, ids=lambda c: str(c)[:20])
def test_values_and_derivatives(function: Any, exact: Any, places: Any) -> None:
    """Against the derivatives of mpmath; the published coefficients have seven digits."""
    for order in range(3):
        slope = function.derivative(order)
        for x in places:
            expected = float(mpmath.diff(exact, x, order))
            assert slope(x) == pytest.approx(expected, rel=2e-6, abs=1e-4)
        assert slope(np.array(places)) == pytest.approx([slope(x) for x in places], rel=1e-14)


@pytest.mark.parametrize(
    ("function", "smooth"),
    [
        (f.quintic(0.5, 1.5, -1, 2), 2),
        (f.rise_and_return(0.5, 0.8, 1.5, -1, 4, 2), 2),
        (f.septic(0.5, 1.5, -1, 2), 3),
        (f.cycloid(0.5, 1.5, -1, 2), 2),
        (f.versine(0.5, 1.5, -1, 2), 1),
        (f.ramp(0.5, 1.5, -1, 2), 0),
    ],
    ids=lambda c: str(c)[:12],
)
def test_steps_are_held_and_as_smooth_as_they_say(function: TimeFunction, smooth: int) -> None:
    assert function([0, 0.5, 1.5, 9]).tolist() == pytest.approx([-1, -1, 2, 2], abs=1e-12)
    for order in range(1, 4):
        slope = function.derivative(order)
        assert (slope([0.2, 1.7]) == 0).all()
        ends = slope([0.5 + 1e-9, 1.5 - 1e-9])
        if order <= smooth:
            assert ends == pytest.approx([0, 0], abs=1e-4)
    jump = function.derivative(smooth + 1)([0.5 + 1e-9, 1.5 - 1e-9])
    assert (abs(jump) > 1).all()


def test_extremum_is_where_it_shall_be() -> None:
    bump = f.rise_and_return(0.2, 1.0, 1.4, before=0.1, peak=-0.7, after=0.3)
    assert bump(1.0) == pytest.approx(-0.7, abs=1e-12)
    assert bump.derivative()(1.0) == pytest.approx(0, abs=1e-11)
    x = np.linspace(0.2, 1.4, 2001)
    assert x[bump(x).argmin()] == pytest.approx(1.0, abs=1e-3)


def test_spin_up_is_the_integral_of_the_cycloid() -> None:
    """Rate, angular acceleration and its rate; the angle W (t - T/2) after the rise."""
    spin, speed = f.spin_up(1, 4, rate=5, before=2, angle=0.7), f.cycloid(1, 4, 2, 5)
    t = np.array([0.2, 1.0, 1.3, 2.5, 3.9, 4.0, 7.0])
    for order in range(3):
        assert spin.derivative(order + 1)(t) == pytest.approx(speed.derivative(order)(t), abs=1e-12)
    assert spin(1.0) == pytest.approx(0.7)
    assert spin(np.nextafter(4, 0)) == pytest.approx(spin(4.0))
    assert f.spin_up(0, 15, 4)(20.0) == pytest.approx(4 * (20 - 7.5))


def test_septic_by_its_integral() -> None:
    """Its slope is 140 u^3 (1 - u)^3."""
    slope = f.septic(0, 1).derivative()
    for u in (0.1, 0.5, 0.8):
        assert slope(u) == pytest.approx(140 * (u * (1 - u)) ** 3, rel=1e-12)


def test_parameters() -> None:
    """Everything may be an expression of parameters; for numbers they get values."""
    m = Model("parameters")
    height, end, top = m.parameter("height", 1), m.parameter("end", 2), m.parameter("top", 1)
    bump = f.rise_and_return(0, top, end, peak=height)
    numbers = f.rise_and_return(0, 0.7, 1.9, peak=0.4)
    given = bump.given(height=0.4, end=1.9, top=0.7)
    x = np.linspace(-0.3, 2.2, 31)
    for order in range(3):
        expected = numbers.derivative(order)(x)
        assert given.derivative(order)(x) == pytest.approx(expected, abs=1e-10)
    assert {s.name for s in bump(m.t).free_symbols} == {"height", "end", "top", "t"}
    with pytest.raises(ModelError, match="depends on end, height, top"):
        bump(0.5)
    with pytest.raises(ModelError, match="has no parameter width"):
        bump.given(width=1)


def test_table() -> None:
    hold, straight = (f.table(TIMES, HEIGHTS, outside=o) for o in ("hold", "straight"))
    repeat, refuse = f.table(TIMES, HEIGHTS, outside="repeat"), f.table(TIMES, HEIGHTS)
    for function in (hold, straight, repeat, refuse):
        assert function(TIMES) == pytest.approx(HEIGHTS, abs=1e-14)
        for order in (1, 2):
            slope, h = function.derivative(order), 1e-9
            for knot in TIMES[1:-1]:
                assert slope(knot - h) == pytest.approx(slope(knot + h), abs=1e-6)
    assert hold([-1, 3]).tolist() == pytest.approx([0.2, 0.2])
    assert straight(3.0) == pytest.approx(0.2 + straight.derivative()(2.0))
    assert repeat(2.4 + 6) == pytest.approx(-0.3)
    with pytest.raises(ModelError, match=r"table has no value at 2\.5"):
        refuse([1, 2.5])


def test_pieces() -> None:
    """Value, slope and curvature of each piece; smooth where the pieces meet smoothly."""
    function = f.piecewise(0, 0.0, f.polynomial(0, 0, 1), 1.0, f.polynomial(-1, 2), 2.0, 7)
    expected = [(-1, 0, 0, 0), (0.5, 0.25, 1, 2), (1.5, 2, 2, 0), (3, 7, 0, 0)]
    for x, *values in expected:
        assert [function.derivative(k)(x) for k in range(3)] == pytest.approx(values, abs=1e-12)
    assert not function.derivative(2)(sympy.Symbol("t")).subs({"t": 1}).has(sympy.DiracDelta)


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        (lambda: f.quintic(1, 1, 0, 1), "start = 1 and end = 1"),
        (lambda: f.ramp(1, 0.5, 0, 1), "start = 1 and end = 0.5"),
        (lambda: f.rise_and_return(0, 3, 2), "top = 3 and end = 2"),
        (lambda: f.rise_and_return(0, -1, 2), "start = 0 and top = -1"),
        (lambda: f.quintic(0, "1"), "end of a quintic step is '1'"),
        (lambda: f.table((0, 1), (0, 1)), "2 abscissae and 2 values"),
        (lambda: f.table((0, 2, 1), (0, 1, 2)), "do not increase"),
        (lambda: f.table((0, 1, 2), (0, 1, 2), outside="stop"), "outside of a table"),
        (lambda: f.gaussian(0, 0), "width 0"),
        (lambda: f.polynomial(), "no coefficients"),
        (lambda: f.piecewise(1, 2), "2 arguments"),
        (lambda: f.piecewise(1, 2, 3, 1, 4), "do not increase: 2, 1"),
        (lambda: f.formula(lambda t: 1 / 0), "ZeroDivisionError"),
        (lambda: f.formula("t"), "value of a formula"),
        (lambda: f.quintic(0, 1).derivative(-1), "order of a derivative"),
        (lambda: f.quintic(0, 1)("x"), "argument of the quintic step"),
        (lambda: f.quintic(0, 1) + "x", "operand of the quintic step"),
    ],
)
def test_mistakes(wrong: Callable[[], object], words: str) -> None:
    with pytest.raises(ModelError, match=words):
        wrong()
