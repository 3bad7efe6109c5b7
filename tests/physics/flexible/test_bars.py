"""Bars as chains of masses: what is kept, the published wave, and the exact one of a true bar.

The exact solution is d'Alembert's: the push runs to the free end with ``c = sqrt(E/rho)``, comes
back with the same sign, and turns its sign at the end whose motion is given.
"""

from functools import cache
from math import pi, sqrt

import numpy as np
import pytest

from mbdgen import Model, load, simulate
from mbdgen.errors import ModelError
from mbdgen.language.beams.bars import Bar, bar, chain_of_masses, round_bar
from mbdgen.language.read import read
from mbdgen.runtime.results.result import Result
from mbdgen.runtime.system.system import System

DENSITY, MODULUS, LENGTH = 2.2237, 1801.2, 1.8  # the published bar of finite elements
DIAMETER = sqrt(4 * 0.04 / (pi * DENSITY * LENGTH))
T = 0.04


@cache
def system(n: int) -> System:
    return load(read("mass_spring_bar", {"n": n}), layout="loop")


def wave(n: int, h: float = 1e-3, t: float = 0.12) -> Result:
    result = simulate(system(n), (0, t), h=h)
    assert result.success
    return result


def pulse(t: np.ndarray) -> np.ndarray:
    """Speed of the moved end."""
    return np.where((t > 0) & (t < T), np.sin(pi * t / T), 0.0)


def exact(t: np.ndarray, x: float, speed: float) -> np.ndarray:
    """Speed at ``x`` in a bar from 0 to ``LENGTH`` whose far end is free."""
    found = np.zeros_like(t)
    for k in range(3):
        there, back = x + 2 * k * LENGTH, 2 * (k + 1) * LENGTH - x
        found += (-1) ** k * (pulse(t - there / speed) + pulse(t - back / speed))
    return found


@pytest.mark.parametrize("n", [2, 20, 101])
def test_a_chain_has_the_mass_the_stiffness_and_the_length_of_its_bar(n: int) -> None:
    like = round_bar(DENSITY, MODULUS, DIAMETER, LENGTH)
    model = Model("kept", gravity=(0, 0, 0))
    chain = chain_of_masses(model, "bar", like, n, start=0.5)
    assert sum(b.motion.mass for b in chain.masses) == pytest.approx(like.mass)
    in_series = 1 / sum(1 / s.element.stiffness for s in chain.springs)
    assert in_series == pytest.approx(like.stiffness)
    assert sum(s.element.length for s in chain.springs) == pytest.approx(LENGTH)
    ends = [b.motion.position[0] for b in (chain.masses[0], chain.masses[-1])]
    assert ends == pytest.approx([0.5, 0.5 + LENGTH])


def test_the_bar_of_a_material_is_the_published_one() -> None:
    like = round_bar(DENSITY, MODULUS, DIAMETER, LENGTH)
    assert like == bar(DENSITY, MODULUS, pi * DIAMETER**2 / 4, LENGTH)
    assert (like.mass, like.stiffness) == pytest.approx((0.04, 10.0), rel=1e-3)
    assert sqrt(like.mass / like.stiffness) == pytest.approx(LENGTH / sqrt(MODULUS / DENSITY))


# Peak of the free end and the lowest speed behind it, published for the trapezoidal rule and 1 ms.
@pytest.mark.representatives(id="100-1.995-0.1")
@pytest.mark.parametrize(
    ("n", "peak", "ringing"),
    [(10, 1.956, 0.18), pytest.param(20, 2.020, 0.13, marks=pytest.mark.slow), (100, 1.995, 0.10)],
)
def test_the_free_end_doubles_the_speed_and_rings_less_with_more_masses(
    n: int, peak: float, ringing: float
) -> None:
    result = wave(n)
    free = result["free_speed"]
    at = int(free.argmax())
    assert result["base_speed"].max() == pytest.approx(1.0, abs=1e-6)  # at 20 ms, an instant
    assert free.max() == pytest.approx(peak, abs=1e-3)
    assert -free[at:].min() == pytest.approx(ringing, abs=6e-3)
    assert 0.082 <= result.t[at] <= 0.086


@pytest.mark.slow
def test_a_chain_tends_to_the_waves_of_a_continuous_bar() -> None:
    speed = sqrt(MODULUS / DENSITY)
    errors = []
    for n in (50, 100, 200):
        result = wave(n, h=1e-4, t=0.19)
        place = n // 2 * LENGTH / (n - 1)
        free = result["free_speed"] - exact(result.t, LENGTH, speed)
        middle = result["middle_speed"] - exact(result.t, place, speed)
        errors.append([float(np.sqrt(np.mean(e**2))) for e in (free, middle)])
    # whole masses at both ends: first order in 1/n, less behind the kinks of the push
    for finer, coarser in zip(errors[1:], errors, strict=False):
        assert all(1.5 < before / after < 2.5 for before, after in zip(coarser, finer, strict=True))
    assert max(errors[-1]) < 0.02


def test_a_linear_chain_is_integrated_with_one_factorisation_of_its_tangent() -> None:
    result = wave(100)
    counts = result.counters
    # beside it, the constant matrix of the velocities' projection
    assert counts.factorisations == 2


def test_the_force_at_the_base_is_the_impedance_times_the_speed_until_the_wave_comes_back() -> None:
    result = wave(100, h=2e-4, t=0.1)
    impedance = sqrt(0.04 * 10.0)  # A sqrt(E rho)
    expected = impedance * result["base_speed"]
    assert np.abs(result["base_force.x"] - expected).max() < 0.05 * impedance


@pytest.mark.parametrize("n", [1, 2.0, True, "many"])
def test_a_chain_needs_two_masses(n: object) -> None:
    with pytest.raises(ModelError, match="whole number, 2 or more"):
        chain_of_masses(Model("few"), "bar", Bar(1.0, 1.0, 1.0), n)  # type: ignore[arg-type]


@pytest.mark.parametrize("numbers", [(0.0, 1, 1), (1, -1.0, 1), (1, 1, "long"), (None, 1, 1)])
def test_a_bar_has_positive_numbers(numbers: tuple[object, ...]) -> None:
    with pytest.raises(ModelError, match="of a bar is"):
        Bar(*numbers)
