"""Simulations that fail on the way: time reached, who is to blame, what to try."""

from typing import Any

import numpy as np
import pytest
import sympy

from mbdgen import Model, load, simulate
from mbdgen.runtime.results.result import Result
from mbdgen.runtime.system.system import System
from tests.unit.errors.machines import Z, flat, free, pinned

METHODS = ["newmark", "rk4"]


def failed(result: Result, time: float, *words: str) -> None:
    """Check a failure: the partial result is kept and the message helps."""
    assert not result.success and result.status < 0
    assert result.info.t_end == pytest.approx(time, abs=0.021)
    assert result.t[-1] <= result.info.t_end and len(result.t) >= 1
    for values in (result.q, result.v, result.a, result.lam):
        assert np.isfinite(values).all()
    assert f"after t = {result.info.t_end:g} s" in result.message
    for word in words:
        assert word in result.message, result.message
    assert "Traceback" not in result.message and "\n" not in result.message
    assert "Try" in result.message or "Check" in result.message


@pytest.fixture(scope="module")
def timed() -> System:
    """A bar pushed by a function of time that the parameters choose."""

    def force(m: Model, b: Any) -> Any:
        pole, edge = m.parameter("pole", 9.0), m.parameter("edge", 9.0)
        return 1 / (m.t - pole) + sympy.log(edge - m.t)

    return load(free("timed", force))


@pytest.mark.parametrize("method", METHODS)
def test_functions_of_time(timed: System, method: str) -> None:
    timed.set(pole=0.1, edge=9.0)
    failed(simulate(timed, (0, 1), h=0.01, method=method), 0.09, "not finite", "'rod'", "force x")
    timed.set(pole=9.0, edge=0.205)
    failed(simulate(timed, (0, 1), h=0.01, method=method), 0.2, "not finite", "'rod'", "force x")


@pytest.mark.parametrize("method", METHODS)
def test_drivers(method: str) -> None:
    model, rod = pinned("stopping")
    angle = sympy.sqrt(0.055 - model.t)
    model.rotation_driver("drive", model.ground, rod, axis=Z, angle=angle)
    result = simulate(load(model), (0, 1), h=0.01, method=method)
    failed(result, 0.05, "not finite", "'drive'")


def test_a_length_that_vanishes() -> None:
    model = Model("reeled", gravity=(0, -9.81, 0))
    ball = model.point_mass("ball", 1.0, position=(1, 0, 0))
    model.distance("rope", model.ground.at(), ball, length=1 - model.t)
    failed(simulate(load(model), (0, 2), h=0.01), 0.99, "'rope'")


def test_expressions_of_the_motion() -> None:
    model = free("falling", lambda m, b: sympy.sqrt(b.at().y), position=(0, 0.2))
    result = simulate(load(model), (0, 1), h=0.01)
    assert not result.success
    assert "'rod'" in result.message and "not finite" in result.message


def test_newton_that_does_not_converge() -> None:
    model, rod = pinned("stiff")
    wall = 1 - sympy.tanh(1e9 * (rod.at().y + 0.02))
    model.force("kick", rod, force=(0, 1e10 * wall, 0))
    system = load(model)
    result = simulate(system, (0, 1), h=0.02, max_iterations=8)
    failed(result, 0.06, "Newton's method did not converge", "'", "h < 0.02")
    assert result.status == -5 and len(result.t) > 1
    assert result.counters.rejected == 6  # so often it was tried with halves
    assert simulate(system, (0, 0.02), h=0.02).success  # the system can be used again


def test_a_position_in_which_a_truss_is_loose() -> None:
    model, rod = pinned("truss")
    link = model.body("link", 1.0, 1 / 12, position=(1.5, 0))
    model.revolute("knee", rod.at(0.5), link.at(-0.5))
    model.revolute("end", link.at(0.5), model.ground.at(2.0))
    result = simulate(load(model), (0, 1), h=0.01)
    failed(result, 0.0, "did not converge", "'end' follows from those of")


def test_infinite_outputs_are_no_success_but_kept() -> None:
    model = flat("odd")
    rod = model.body("rod", 1.0, 1.0)
    model.output("inverse", 1 / rod.at().x)
    result = simulate(load(model), (0, 0.1), h=0.01)
    assert not result.success and "'inverse' is inf at t = 0 s" in result.message
    assert np.isinf(result["inverse"]).all()


@pytest.mark.parametrize("scale", [1e-12, 1e12])
def test_very_small_and_very_large_machines(scale: float) -> None:
    model = flat("scaled")
    m, size = model.parameter("mass", 1.0), model.parameter("size", 1.0)
    rod = model.body("rod", m, m * size**2 / 12, position=(size / 2, 0))
    model.revolute("pin", model.ground.at(), rod.at(-size / 2))
    system = load(model)
    system.set(mass=scale, size=scale**0.5)
    period = scale**0.25
    result = simulate(system, (0, 0.1 * period), h=1e-3 * period)
    assert result.success
    falling = -1.5 * 9.81 / scale**0.5 * (0.1 * period) ** 2 / 2
    assert result["rod.theta"][-1] == pytest.approx(falling, rel=1e-2)
