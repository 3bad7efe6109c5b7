"""Finite elements of spatial frames, written here: matrices for flexible bodies to read."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]


def hermite(length: float) -> tuple[FloatArray, FloatArray]:
    """Mass and stiffness of bending per ``rho A`` and ``EI``; unknowns w, w', w, w'."""
    a = length
    mass = np.array(
        [
            [156, 22 * a, 54, -13 * a],
            [22 * a, 4 * a**2, 13 * a, -3 * a**2],
            [54, 13 * a, 156, -22 * a],
            [-13 * a, -3 * a**2, -22 * a, 4 * a**2],
        ]
    )
    stiffness = np.array(
        [
            [12, 6 * a, -12, 6 * a],
            [6 * a, 4 * a**2, -6 * a, 2 * a**2],
            [-12, -6 * a, 12, -6 * a],
            [6 * a, 2 * a**2, -6 * a, 4 * a**2],
        ]
    )
    return mass * a / 420, stiffness / a**3


def element(
    length: float, area: float, iz: float, iy: float, torsion: float, young: float, density: float
) -> tuple[FloatArray, FloatArray]:
    """Euler-Bernoulli element of 12 unknowns, Poisson's ratio 0.3, consistent mass."""
    mass, stiffness = np.zeros((12, 12)), np.zeros((12, 12))
    shear = young / 2.6
    rod = np.array([[2, 1], [1, 2]]) * length / 6, np.array([[1, -1], [-1, 1]]) / length
    for places, inertia, force in (
        ([0, 6], density * area, young * area),
        ([3, 9], density * (iy + iz), shear * torsion),
    ):
        mass[np.ix_(places, places)] += inertia * rod[0]
        stiffness[np.ix_(places, places)] += force * rod[1]
    bend = hermite(length)
    for places, sign, force in (([1, 5, 7, 11], 1, young * iz), ([2, 4, 8, 10], -1, young * iy)):
        turn = np.diag([1, sign, 1, sign])
        mass[np.ix_(places, places)] += density * area * turn @ bend[0] @ turn
        stiffness[np.ix_(places, places)] += force * turn @ bend[1] @ turn
    return mass, stiffness


def frame_of(
    nodes: FloatArray,
    bars: Sequence[tuple[int, int]],
    *,
    area: float,
    iz: float,
    iy: float,
    torsion: float,
    young: float,
    density: float,
) -> tuple[FloatArray, FloatArray]:
    """Mass and stiffness of bars between nodes with six unknowns each."""
    n = 6 * len(nodes)
    mass, stiffness = np.zeros((n, n)), np.zeros((n, n))
    for a, b in bars:
        along = nodes[b] - nodes[a]
        length = float(np.linalg.norm(along))
        x = along / length
        helper = np.array([0, 0, 1.0]) if abs(x[2]) < 0.9 else np.array([0, 1.0, 0])
        y = np.cross(helper, x)
        y /= np.linalg.norm(y)
        turn = np.kron(np.eye(4), np.array([x, y, np.cross(x, y)]))
        local = element(length, area, iz, iy, torsion, young, density)
        places = [*range(6 * a, 6 * a + 6), *range(6 * b, 6 * b + 6)]
        for whole, part in zip((mass, stiffness), local, strict=True):
            whole[np.ix_(places, places)] += turn.T @ part @ turn
    return mass, stiffness
