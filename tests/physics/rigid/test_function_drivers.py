"""Functions of time as drivers and loads: the motion has their values and both derivatives."""

from typing import Any

import numpy as np
import pytest

from mbdgen import Model, load, simulate
from mbdgen import functions as f
from mbdgen.errors import ModelError

ROWS = np.linspace(0, 2, 9), np.array([0, 0.3, 0.1, -0.4, 0, 0.2, 0.2, -0.1, 0])


def functions(height: Any) -> dict[str, f.TimeFunction]:
    """Return one function of each way to make one that a position may follow."""
    return {
        "step": f.quintic(0.2, 1.4, after=height),
        "bump": f.rise_and_return(0.1, 0.7, 1.5, peak=height, after=0.2),
        "table": f.table(*ROWS),
        "held": f.table(*ROWS, outside="hold")(f.harmonic(1.5, 1, mean=1)),
        "product": f.harmonic(height, 3) * f.gaussian(1, 0.3) + f.septic(0, 2),
        "pieces": f.piecewise(0, 0.5, f.quintic(0.5, 1, 0, height), 1.2, height),
    }


@pytest.fixture(scope="module")
def sliders() -> Any:
    """Point masses on a line without gravity, each driven by a function."""
    m = Model("sliders", gravity=(0, 0, 0))
    height = m.parameter("height", 0.8)
    for name, function in functions(height).items():
        slider = m.point_mass(name, 2.0)
        m.translation_driver(
            f"drive_{name}", m.ground, slider, axis=(1, 0, 0), distance=function(m.t)
        )
        m.output(f"{name}_x", slider.at().x)
        m.output(f"{name}_v", slider.at().velocity)
        m.output(f"{name}_a", slider.at().acceleration)
    pushed = m.point_mass("pushed", 2.0)
    m.force("push", pushed.at(), force=(f.ramp(0.5, 1, 0, 4)(m.t), 0, 0))
    m.output("pushed_v", pushed.at().velocity)
    return load(m)


@pytest.mark.representatives(id="rk4")
@pytest.mark.parametrize("method", ["newmark", "rk4"])
def test_motion_is_the_function(sliders: Any, method: str) -> None:
    """Position and acceleration, to rounding for the method that holds constraints.

    A Runge-Kutta method integrates the driven acceleration: errors of 4th order in pieces, second
    order where the third derivative jumps.
    """
    sliders.set(height=0.6)
    result = simulate(sliders, (0, 2), h=2e-3, method=method)
    assert result.success
    tolerance = 1e-10 if method == "newmark" else 1e-5
    for name, function in functions(0.6).items():
        assert result[f"{name}_x"] == pytest.approx(function(result.t), abs=tolerance)
        acceleration = function.derivative(2)(result.t)
        if method == "rk4":
            assert result[f"{name}_a.x"] == pytest.approx(acceleration, abs=1e-9)
            speed = function.derivative()(result.t)
            assert result[f"{name}_v.x"] == pytest.approx(speed, abs=tolerance)


def test_load(sliders: Any) -> None:
    """The speed is the integral of the ramp over the mass: 1/2 0.5 s 4 N / 2 kg, then 2 m/s2."""
    result = simulate(sliders, (0, 2), h=0.01, method="rk4")
    assert result["pushed_v.x"][[50, 100, 200]] == pytest.approx([0, 0.5, 2.5], abs=1e-12)


def test_end_of_a_table(sliders: Any) -> None:
    """A run may end with the table, and stops where it goes on."""
    result = simulate(sliders, (0, 2.1), h=0.01)
    assert not result.success
    assert "after t = 2 s (first in 'drive_table'" in result.message
    assert "functions of time" in result.message


@pytest.mark.parametrize(
    "function",
    [f.ramp(0, 1), f.piecewise(0, 1.0, 1), f.piecewise(0, 1.0, f.polynomial(-1, 1))],
    ids=["ramp", "jump", "kink"],
)
def test_a_jump_of_speed_is_no_motion(function: f.TimeFunction) -> None:
    m = Model("jumping")
    p = m.point_mass("p", 1)
    m.translation_driver("drive", m.ground, p, axis=(1, 0, 0), distance=function(m.t))
    with pytest.raises(ModelError, match="derivative of a function that jumps"):
        load(m)
