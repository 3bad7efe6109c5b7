"""Elements of beams in space: published numbers, locking and its cure, bending and torsion."""

import csv
from pathlib import Path

import numpy as np
import pytest

from mbdgen import circle, material, rectangle
from tests.unit.kernels.element import Array
from tests.unit.kernels.mesh import Mesh

REFERENCES = Path(__file__).parents[2] / "references"
# The cantilever of the source: 5 m, 0.1 m square, 300 N at the tip.
LENGTH, SIDE, YOUNG, DENSITY, LOAD = 5.0, 0.1, 132e9, 8145.2, 300.0
BENDING = YOUNG * SIDE**4 / 12
SLOPED = ("yakoub", "yakoub-relaxed", "dufva-3d")


def cantilever(kind: str, count: int, poisson: float = 0.0) -> Mesh:
    return Mesh(
        kind, count, [(0, 0, 0), (LENGTH, 0, 0)], rectangle(SIDE, SIDE),
        material(YOUNG, DENSITY, poisson), across=(0, 1, 0),
    )  # fmt: skip


def tip(mesh: Mesh) -> float:
    """Deflection in cm under the load of the source, the first node clamped."""
    load = np.zeros(len(mesh.q0))
    load[-mesh.size + 1] = -LOAD
    q = mesh.bent(load, range(mesh.size))
    return float(-100 * q[-mesh.size + 1])


def timoshenko(poisson: float) -> float:
    shear = 5 / 6 * YOUNG / (2 * (1 + poisson)) * SIDE**2
    return 100 * (LOAD * LENGTH**3 / (3 * BENDING) + LOAD * LENGTH / shear)


@pytest.mark.representatives(id="2-0.3-0.7915-19.92")
@pytest.mark.parametrize(
    ("count", "poisson", "deflection", "omega"),
    [(1, 0.0, 0.8506, 20.782), (2, 0.0, 1.0651, 17.171), (5, 0.0, 1.1252, 16.468),
     (10, 0.0, 1.1337, 16.372), (1, 0.3, 0.6328, 24.108), (2, 0.3, 0.7915, 19.920),
     (5, 0.3, 0.8360, 19.104), (10, 0.3, 0.8423, 18.993)],
)  # fmt: skip
def test_published_cantilever(count: int, poisson: float, deflection: float, omega: float) -> None:
    """To half a unit of the last digit; the last rows show Poisson's locking: 0.844 cm."""
    mesh = cantilever("yakoub", count, poisson)
    assert tip(mesh) == pytest.approx(deflection, abs=6e-5)
    assert mesh.frequencies(range(mesh.size))[0] == pytest.approx(omega, abs=6e-4)


@pytest.mark.slow
def test_locking_by_poisson_and_its_cure() -> None:
    """Locked: E/(lam + 2G) of the right deflection. Cured: what remains is of order h^2."""
    nu = 0.3
    factor = (1 + nu) * (1 - 2 * nu) / (1 - nu)
    assert tip(cantilever("yakoub", 20, nu)) == pytest.approx(factor * timoshenko(nu), rel=2e-3)
    errors = [abs(tip(cantilever("yakoub-relaxed", n, nu)) / timoshenko(nu) - 1) for n in (4, 8)]
    assert errors[1] < 5e-3
    assert errors[0] / errors[1] == pytest.approx(4, rel=0.1)


@pytest.mark.slow
@pytest.mark.parametrize("poisson", [0.0, 0.3])
@pytest.mark.parametrize("count", [1, 2, 4])
def test_dufva_does_not_lock(count: int, poisson: float) -> None:
    """One element gives Timoshenko's deflection: 5e-4 is what shear does within it."""
    assert tip(cantilever("dufva-3d", count, poisson)) == pytest.approx(
        timoshenko(poisson), rel=6e-4
    )


@pytest.mark.representatives(id=["0-dufva-3d", "1-cable", "1-dufva-3d"])
@pytest.mark.parametrize("kind", ["cable", "dufva-3d"])
@pytest.mark.parametrize("support", [0, 1])
def test_frequencies(kind: str, support: int) -> None:
    """Clamped and free; less what shear and rotary inertia take in the first order.

    That is (1 + E/(k G)) (k r)^2/2 of a wave with the radius of gyration r; ends change it by a
    part of itself. The rest is of the fourth order in the length of the elements.
    """
    with (REFERENCES / "EL2_beam_frequencies.csv").open() as file:
        rows = [row for row in csv.reader(file) if row[0] == str(support)]
    mesh = cantilever(kind, 12)
    found = mesh.frequencies(range(mesh.size) if support == 0 else ())
    bending = [x for x in found if x > 1.0]
    for k, row in enumerate(rows[:2]):
        slender = (float(row[2]) / LENGTH * SIDE) ** 2 / 12
        less = 0.0 if kind == "cable" else (1 + 2 * 6 / 5) * slender / 2
        expected = [float(row[3]) * (1 - less)] * 2
        assert bending[2 * k : 2 * k + 2] == pytest.approx(expected, rel=2e-4 + less / 2)


def rotation() -> Array:
    q, _ = np.linalg.qr(np.random.default_rng(5).normal(size=(3, 3)))
    return q * np.sign(np.linalg.det(q))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "count", "tolerance"),
    [("cable", 16, 2e-5), ("dufva-3d", 16, 5e-5), ("yakoub-relaxed", 32, 5e-4)],
)
def test_elastica_in_a_tilted_plane(kind: str, count: int, tolerance: float) -> None:
    """A dead load of 2 EI/L^2; stretch and shear take 1e-5, more is the element's."""
    with (REFERENCES / "EL1_cantilever_elastica.csv").open() as file:
        row = next(row for row in csv.reader(file) if row[0] == "2")
    along, across = float(row[2]), float(row[3])
    diameter, young, turn = 1e-2, 1e9, rotation()
    start = np.array([0.3, -0.2, 0.7])
    mesh = Mesh(
        kind, count, [start, start + turn[:, 0]], circle(diameter), material(young, 1000.0, 0.3),
        across=turn @ (0, 0.6, 0.8),
    )  # fmt: skip
    load = np.zeros(len(mesh.q0))
    load[-mesh.size : len(load) - mesh.size + 3] = (
        2 * young * np.pi * diameter**4 / 64 * (turn @ (0, 0, 1))
    )
    q = mesh.bent(load, range(mesh.size), stages=8)
    arm = turn.T @ (q[-mesh.size : len(q) - mesh.size + 3] - start)
    assert arm == pytest.approx([along, 0, across], abs=tolerance)


@pytest.mark.parametrize("kind", SLOPED)
def test_torsion(kind: str) -> None:
    """Saint-Venant's stiffness where sections warp; what stays plane has that of its inertia."""
    nu, torque = 0.3, 10.0
    mesh = cantilever(kind, 3, nu)
    load = np.zeros(len(mesh.q0))
    # A torque turns the slopes across: half of it on each of them.
    load[-mesh.size + 6 + 2], load[-mesh.size + 9 + 1] = torque / 2, -torque / 2
    q = mesh.bent(load, range(mesh.size))
    shear = YOUNG / (2 * (1 + nu))
    polar = SIDE**4 / 6
    stiffness = shear * (0.1406 * SIDE**4 if kind == "dufva-3d" else polar)
    angle = np.arctan2(q[-mesh.size + 6 + 2], q[-mesh.size + 6 + 1])
    # Roark's formula of the constant is within half a percent; the others are exact but for 1e-6.
    tolerance = 5e-3 if kind == "dufva-3d" else 1e-5
    assert angle == pytest.approx(torque * LENGTH / stiffness, rel=tolerance)


@pytest.mark.parametrize("kind", ["yakoub", "yakoub-relaxed"])
def test_patch_of_any_deformation(kind: str) -> None:
    """What is deformed alike everywhere is in balance at the inner nodes, wherever it is."""
    mesh = cantilever(kind, 3, 0.3)
    gradient = rotation() @ (np.eye(3) + 0.05 * np.random.default_rng(1).normal(size=(3, 3)))
    q = (mesh.q0.reshape(-1, 3) @ gradient.T).ravel()
    held = mesh.forces(q).reshape(4, -1)
    # Slopes along a line are in balance with their neighbours, positions too; what works on the
    # slopes across is the same at every inner node and half of it at the ends.
    assert abs(held[1:-1, :6]).max() < 1e-12 * abs(held).max()
    assert held[1, 6:] == pytest.approx(held[2, 6:], rel=1e-10)
    assert held[0, 6:] == pytest.approx(held[1, 6:] / 2, rel=1e-10)


@pytest.mark.parametrize("kind", ["yakoub", "yakoub-relaxed"])
def test_patch_of_tension(kind: str) -> None:
    """Pulled at its end: P = E A (s^2 - 1) s/2 of the stretch s, and the sections contract."""
    nu = 0.3
    mesh, stretch = cantilever(kind, 2, nu), 1.02
    strain = (stretch**2 - 1) / 2
    load = np.zeros(len(mesh.q0))
    load[-mesh.size] = YOUNG * SIDE**2 * strain * stretch
    # Held at the start along the beam, and against moving as a whole.
    q = mesh.bent(load, (0, 1, 2, 4, 5, 6, 8, 9, 10), stages=2)
    ends = q.reshape(3, 4, 3)
    assert ends[-1, 0, 0] == pytest.approx(stretch * LENGTH, rel=1e-10)
    assert ends[1, 2] == pytest.approx([0, np.sqrt(1 - 2 * nu * strain), 0], abs=1e-10)


@pytest.mark.slow
@pytest.mark.parametrize("support", [2, 3, 4])
def test_frequencies_of_pinned_cables(support: int) -> None:
    """Pinned at one end, at both, clamped and pinned: four modes, each in two planes.

    Waves of the number k have an error of the order (k l)^4/1000 on elements of the length l.
    """
    with (REFERENCES / "EL2_beam_frequencies.csv").open() as file:
        rows = [row for row in csv.reader(file) if row[0] == str(support)]
    count = 16
    mesh = cantilever("cable", count)
    end = len(mesh.q0) - mesh.size
    start = range(mesh.size) if support == 4 else range(3)
    held = [*start, *(() if support == 2 else (end + 1, end + 2))]
    bending = [x for x in mesh.frequencies(held) if x > 1.0]
    for k, row in enumerate(rows[:4]):
        tolerance = 1e-5 + (float(row[2]) / count) ** 4 / 1000
        assert bending[2 * k : 2 * k + 2] == pytest.approx([float(row[3])] * 2, rel=tolerance)
