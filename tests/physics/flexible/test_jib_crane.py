"""The jib by its matrices: what its files are, and how far it sags, by the full matrices."""

from pathlib import Path

import numpy as np
import pytest
from scipy.io import mmread, mmwrite

import mbdgen.models
from mbdgen import load, statics
from tests.frames_of_beams import frame_of
from tests.physics.running import SOONEST

FILES = Path(mbdgen.models.__file__).parent / "jib_crane_matrices"
MAST = [(0, 0, z) for z in (0.0, 0.5, 1.0, 1.5, 2.0)]
ARM = [(x, 0, 2.0) for x in (0.75, 1.5, 2.0, 2.5)]
NODES = np.array([*MAST, (0.75, 0, 1.5), *ARM, (3.0, 0, 2.0)], float)
BARS = [(0, 1), (1, 2), (2, 3), (3, 4), (4, 6), (6, 7), (7, 8), (8, 9), (9, 10), (2, 5), (5, 7)]
OUTER, INNER = 0.06, 0.054  # radii of the tubes


def matrices() -> tuple[np.ndarray, np.ndarray]:
    second = np.pi / 4 * (OUTER**4 - INNER**4)
    size = {
        "area": np.pi * (OUTER**2 - INNER**2),
        "iz": second,
        "iy": second,
        "torsion": 2 * second,
    }
    return frame_of(NODES, BARS, **size, young=2.1e11, density=7850.0)


def write() -> None:
    """Write the files of the model: ``python -m tests.physics.flexible.test_jib_crane``."""
    note = "Jib of jib_crane.py: tubes of steel, two-node beam elements, six unknowns per node."
    for name, matrix in zip(("mass", "stiffness"), matrices(), strict=True):
        mmwrite(FILES / f"{name}.mtx", _sparse(matrix), comment=note, symmetry="symmetric",
                precision=12)  # fmt: skip
    mmwrite(FILES / "nodes.mtx", NODES, comment=note, precision=6)


def _sparse(matrix: np.ndarray) -> object:
    from scipy.sparse import coo_array

    return coo_array(np.where(abs(matrix) > 1e-14 * abs(matrix).max(), matrix, 0.0))


def test_the_files_are_those_of_the_tubes() -> None:
    for name, expected in zip(("mass", "stiffness"), matrices(), strict=True):
        found = mmread(FILES / f"{name}.mtx").toarray()
        assert abs(found - expected).max() < 1e-11 * abs(expected).max()
    np.testing.assert_array_equal(mmread(FILES / "nodes.mtx"), NODES)


@pytest.mark.slow
def test_the_tip_sags_as_the_full_matrices_say() -> None:
    """Under load and own weight: modes of 40 Hz and less leave 2 % of the static deflection.

    The full matrices turn no loads; the deflection is 1e-2 of the length.
    """
    mass, stiffness = matrices()
    down = np.tile([0, 0, -9.81, 0, 0, 0], len(NODES))
    force = mass @ down
    force[62] -= 9.81 * 100.0
    sag = np.linalg.solve(stiffness[6:, 6:], force[6:])[-6:]
    found = statics(load("jib_crane", backend=SOONEST)).outputs
    assert sag[2] < -0.01
    assert abs(found["weight.z"] - (2.0 + sag[2] - 1.0)) < 0.02 * abs(sag[2])


if __name__ == "__main__":
    write()
