"""Geometrically exact beams against the elastica and against a falling rod, in plane and space."""

import csv
from pathlib import Path

import numpy as np
import pytest

from mbdgen import Model, circle, load, material, simulate, statics
from mbdgen.language.read import read

REFERENCES = Path(__file__).parents[2] / "references"


def bent(count: int, points: list[tuple[float, ...]], push: tuple[float, ...]) -> np.ndarray:
    """Tip of a slender cantilever under a dead load of 2 EI/L^2."""
    diameter, young = 1e-2, 1e9
    m = Model("bent", gravity=(0, 0, 0))
    section, law = circle(diameter), material(young, 1000.0, 0.3)
    rod = m.beam("rod", points, section, law, elements=count, kind="exact")
    m.fixed("clamp", m.ground.at(*points[0]), rod.start)
    size = 2 * young * np.pi * diameter**4 / 64
    m.force("push", rod.end, force=tuple(size * x for x in push))
    m.output("tip", rod.end)
    found = statics(load(m, backend="c", layout="loop"))
    assert found.stability == "stable"
    return np.array([found.outputs[f"tip.{c}"] for c in "xyz"])


def elastica() -> tuple[float, float]:
    with (REFERENCES / "EL1_cantilever_elastica.csv").open() as file:
        row = next(row for row in csv.reader(file) if row[0] == "2")
    return float(row[2]), float(row[3])


@pytest.mark.slow
def test_elastica() -> None:
    """Of second order in the length; shear and stretch take 5e-5."""
    along, across = elastica()
    errors = []
    for count in (8, 16):
        x, y, _ = bent(count, [(0, 0, 0), (1, 0, 0)], (0, 1, 0))
        errors.append(np.hypot(x - along, y - across))
    assert errors[0] < 4e-4
    assert errors[1] < 1.3e-4


@pytest.mark.slow  # 81 unknowns in space: seconds of compilation
def test_elastica_in_space() -> None:
    """A beam that is described out of the plane is the spatial kind, and bends alike."""
    x, y, _ = bent(8, [(0, 0, 0), (1, 0, 0)], (0, 1, 0))
    a, b = np.array([0.6, 0.0, 0.8]), np.array([0.8, 0.0, -0.6])
    found = bent(8, [(0, 0, 0), tuple(a)], tuple(b))
    assert found == pytest.approx(x * a + y * b, abs=1e-9)


@pytest.mark.slow  # two runs and compilations
def test_falling_rod() -> None:
    """The tip after 1 s: second order, and a twentieth of a per cent with 40 elements."""
    with (REFERENCES / "EL3_flexible_pendulum.csv").open() as file:
        row = next(row for row in list(csv.reader(file))[1:] if float(row[0]) == 1.0)
    tip = np.array([float(row[1]), float(row[2])])
    errors = []
    for count in (20, 40):
        model = read("flexible_pendulum", {"elements": count, "kind": "exact"})
        system = load(model, backend="c", layout="loop")
        result = simulate(system, (0, 1.0), method="newmark", h=1e-3)
        errors.append(np.hypot(*(np.array([result["tip.x"][-1], result["tip.y"][-1]]) - tip)))
    assert errors[1] < 1e-3
    assert 3.5 < errors[0] / errors[1] < 8  # shear, 2e-4, is of the opposite sign
