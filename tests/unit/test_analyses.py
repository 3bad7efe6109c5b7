"""Analyses by name: modes against closed formulas, spectra of known series, and refusals."""

from pathlib import Path

import numpy as np
import pytest

from mbdgen import Model, Result, analyse, load, simulate
from mbdgen.errors import OptionError
from mbdgen.runtime.system import System

MASS, INERTIA, ARM, STIFFNESS, DAMPING = 2.0, 0.1, 0.5, 3.0, 0.4


def hanging_rod(coordinates: str) -> System:
    m = Model(f"hanging_{coordinates}", gravity=(0, -9.81, 0), coordinates=coordinates)
    inertia = INERTIA if coordinates == "planar" else (INERTIA, INERTIA, INERTIA)
    rod = m.body(
        "rod", mass=MASS, inertia=inertia, position=(0, -ARM, 0)[: 2 + (inertia != INERTIA)]
    )
    at = {"at": (0, 0, 0), "axis": (0, 0, 1)}
    pin = m.revolute("pin", m.ground, rod, **at)
    m.torsion_spring("spring", m.ground, rod, **at, stiffness=STIFFNESS, damping=DAMPING)
    m.output("angle", pin.angle)
    return load(m)


@pytest.mark.parametrize("coordinates", ["planar", "quaternion"])
def test_modes_of_a_pendulum(coordinates: str) -> None:
    """One degree of freedom, ``J x'' + d x' + (k + m g l) x = 0``, with 2 or 5 + 1 constraints."""
    found = analyse(hanging_rod(coordinates), "modes")
    inertia = INERTIA + MASS * ARM**2
    frequency = np.sqrt((STIFFNESS + MASS * 9.81 * ARM) / inertia)
    ratio = DAMPING / (2 * frequency * inertia)
    np.testing.assert_allclose(found["damping_ratio"], [ratio], rtol=1e-10)
    damped = frequency * np.sqrt(1 - ratio**2) / (2 * np.pi)
    np.testing.assert_allclose(found["frequency"], [damped], rtol=1e-10)


def test_modes_of_a_chain_of_springs() -> None:
    """Masses on a line: ``w_k = 2 sqrt(k/m) sin(k pi / 2 (n + 1))``."""
    n, m = 4, Model("springs", gravity=(0, 0, 0))
    points = [m.ground.at(0, 0, 0)]
    for k in range(n):
        mass = m.point_mass(f"mass{k}", mass=1, position=(k + 1, 0, 0))
        m.point_on_line(f"rail{k}", m.ground, mass, axis=(1, 0, 0))
        points.append(mass.at())
    points.append(m.ground.at(n + 1, 0, 0))
    for k in range(n + 1):
        m.spring(f"spring{k}", points[k], points[k + 1], stiffness=1.0)
    found = analyse(load(m), "modes")
    expected = 2 * np.sin(np.arange(1, n + 1) * np.pi / (2 * (n + 1))) / (2 * np.pi)
    np.testing.assert_allclose(found["frequency"], expected, rtol=1e-10)
    np.testing.assert_allclose(found["damping_ratio"], 0.0, atol=1e-12)


@pytest.fixture(scope="module")
def swing() -> Result:
    system = hanging_rod("planar")
    system.v0[2] = 0.1
    return simulate(system, (0, 20), h=1e-2)


def test_spectrum_finds_the_mode(swing: Result) -> None:
    found = analyse(swing, "spectrum", series="angle")
    mode = analyse(hanging_rod("planar"), "modes")["frequency"][0]
    peak = found["frequency"][found["amplitude"].argmax()]
    assert abs(peak - mode) <= 1 / 20


def test_spectrum_keeps_the_amplitude() -> None:
    m = Model("oscillator", gravity=(0, 0, 0))
    mass = m.point_mass("mass", mass=1, position=(0.3, 0, 0))
    m.point_on_line("rail", m.ground, mass, axis=(1, 0, 0))
    m.spring("spring", m.ground.at(-1, 0, 0), mass.at(), stiffness=(2 * np.pi) ** 2, length=1)
    result = simulate(load(m), (0, 10), h=1e-2, method="rk4")
    found = analyse(result, "spectrum", series="mass.x")
    assert found["amplitude"].max() == pytest.approx(0.3, rel=1e-2)
    assert found["frequency"][found["amplitude"].argmax()] == pytest.approx(1.0, rel=1e-2)


def test_tables_are_saved(swing: Result, tmp_path: Path) -> None:
    found = analyse(swing, "spectrum", series="angle")
    found.save(tmp_path / "spectrum.csv")
    read = np.loadtxt(tmp_path / "spectrum.csv", delimiter=",", skiprows=1)
    np.testing.assert_array_equal(read[:, 1], found["amplitude"])
    with pytest.raises(OptionError, match="neither"):
        found.save(tmp_path / "spectrum.txt")


@pytest.mark.parametrize(
    ("name", "choices", "message"),
    [
        ("mode", {}, "Did you mean 'modes'"),
        ("spectrum", {}, "needs 'series'"),
        ("spectrum", {"series": "nothing"}, "nothing"),
        ("spectrum", {"series": "rod"}, "group|nothing called"),
        ("spectrum", {"sries": "angle"}, "no choice 'sries'"),
        ("spectrum", {"series": 3}, "Give a text"),
        ("modes", {"t": "soon"}, "Give a number"),
        ("modes", {}, "one of a system"),
    ],
)
def test_mistakes(swing: Result, name: str, choices: dict[str, object], message: str) -> None:
    with pytest.raises(OptionError, match=message):
        analyse(swing, name, **choices)


def test_modes_need_rest() -> None:
    system = hanging_rod("planar")
    system.v0[:] = ARM, 0.0, 1.0
    with pytest.raises(OptionError, match=r"not at rest: the velocity of 'rod\.theta' is 1"):
        analyse(system, "modes")
