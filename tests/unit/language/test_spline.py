"""Splines as expressions: values and derivatives of SciPy's, and as the profile of a cam."""

from typing import Any

import numpy as np
import pytest
import sympy
from scipy.interpolate import CubicSpline

from mbdgen import Model
from mbdgen.errors import ModelError
from mbdgen.language.expressions.spline import spline
from tests.unit.kernels.element import ElementCase, check_derivatives

PLACES = np.array([0.0, 0.7, 1.0, 2.2, 3.0])
HEIGHTS = np.array([0.3, -0.2, 0.5, 0.1, 0.3])


@pytest.mark.parametrize("ends", ["natural", "level", "periodic"])
def test_values_and_two_derivatives(ends: str) -> None:
    x = sympy.Symbol("x", real=True)
    expression = spline(x, PLACES, HEIGHTS, ends)
    exact = CubicSpline(PLACES, HEIGHTS, bc_type="clamped" if ends == "level" else ends)
    for k in range(3):
        found = sympy.lambdify(x, sympy.diff(expression, x, k))
        for at in np.linspace(0.01, 2.99, 23):
            assert found(at) == pytest.approx(exact(at, k), abs=1e-12)
        for beyond in (-2.5, 4.4):
            wrapped = (beyond % 3.0) if ends == "periodic" else np.clip(beyond, 0, 3)
            straight = 0 if ends != "natural" else (beyond - wrapped) * exact(wrapped, 1)
            held = ends == "level" and k > 0
            expected = 0 if held else exact(wrapped, k) + (straight if k == 0 else 0)
            assert found(beyond) == pytest.approx(expected, abs=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize("engine", ["sympy", "symengine"])
def test_profile_of_a_cam(engine: str) -> None:
    """Twelve points of a circle; derivatives at random states, also beyond one turn."""
    pytest.importorskip(engine)
    angles = np.linspace(0, 2 * np.pi, 13)

    def profile(s: Any) -> tuple[Any, Any]:
        closed = [*np.cos(angles[:-1]), 1.0], [*np.sin(angles[:-1]), 0.0]
        return spline(s, angles, closed[0], "periodic"), spline(s, angles, closed[1], "periodic")

    m = Model("cam")
    cam = m.planar_body("cam", 1, 1)
    bar = m.planar_body("bar", 1, 1, position=(1.2, 0))
    m.cam_follower("touch", cam, bar.at(), curve=profile, radius=0.2, axis=(0, 0, 1))
    e = ElementCase(m, "touch", engine)
    for seed, turn in ((1, 0.0), (2, 40.0)):
        s = e.random_state(np.random.default_rng(seed))
        s.q[-1] += turn
        check_derivatives(e, s)


@pytest.mark.parametrize(
    ("places", "values", "ends", "words"),
    [
        ((0, 1), (0, 1), "natural", "2 abscissae and 2 values"),
        ((0, 1, 1), (0, 1, 0), "natural", "do not increase"),
        ((0, 1, 2), (0, 1, 0.5), "periodic", "begins with 0 and ends with 0.5"),
        ((0, 1, 2), (0, "a", 0.5), "natural", "no numbers"),
        ((0, 1, 2), (0, 1, 0.5), "clamped", "ends of a spline"),
    ],
)
def test_mistakes(places: Any, values: Any, ends: str, words: str) -> None:
    with pytest.raises(ModelError, match=words):
        spline(sympy.Symbol("x"), places, values, ends)
