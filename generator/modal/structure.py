r"""Finite element structure given by matrices: mass, centre of mass, inertia, rigid-body modes.

Nodes have three displacements, or three displacements and three rotations, in this order.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from mbdgen.errors import ModelError

FloatArray = NDArray[np.float64]
SYMMETRY = 1e-6
RIGID = 1e-5
"""Largest force of a rigid motion, and difference of masses, relative to the largest entries; files
with six digits pass."""
AXES = np.eye(3)


@dataclass(frozen=True)
class Structure:
    """Matrices with places of nodes.

    Attributes
    ----------
    mass, stiffness : sparse matrix
        Symmetric, of the body without supports.
    nodes : array, shape (n, 3)
        Node positions.
    size : int
        Unknowns of a node: 3 or 6.
    weight : float
        Its mass.
    centre : array
        Centre of mass.
    inertia : array, shape (3, 3)
        About the centre of mass.
    """

    mass: Any
    stiffness: Any
    nodes: FloatArray
    size: int
    weight: float
    centre: FloatArray
    inertia: FloatArray

    def translations(self) -> FloatArray:
        """Return the displacements of unit translations, one column for each."""
        return _rigid(self.nodes, self.size)[:, :3]

    def rotations(self) -> FloatArray:
        """Return the displacements of unit rotations about the centre of mass."""
        return _rigid(self.nodes - self.centre, self.size)[:, 3:]


def structure(mass: Any, stiffness: Any, nodes: FloatArray, what: str) -> Structure:
    """Return the structure of matrices that fit each other and their nodes.

    Raises
    ------
    ModelError
        If they do not.
    """
    size = _size(mass, stiffness, nodes, what)
    m, k = (_symmetric(x, name, what) for x, name in ((mass, "mass"), (stiffness, "stiffness")))
    rigid = _rigid(nodes, size)
    force = np.abs(k @ rigid)
    largest = abs(k).max() * np.abs(rigid).max()
    if force.max() > RIGID * largest:
        row = int(np.unravel_index(force.argmax(), force.shape)[0])
        raise ModelError(
            f"The stiffness of {what} resists rigid motions, most at its node {row // size}.",
            "Give the matrix of the free body, without supports, its unknowns node by node in the "
            "order of the nodes.",
        )
    masses = rigid.T @ (m @ rigid)
    weight = float(np.trace(masses[:3, :3]) / 3)
    unequal = np.abs(masses[:3, :3] - weight * np.eye(3)).max()
    if not weight > 0 or unequal > RIGID * weight:
        raise ModelError(
            f"By its mass matrix {what} weighs {masses[0, 0]:g}, {masses[1, 1]:g} and "
            f"{masses[2, 2]:g} kg along x, y and z.",
            "Give the whole matrix of the free body, its unknowns node by node in the order of "
            "the nodes.",
        )
    # Moments of mass from the coupling of translations and rotations about the origin.
    coupling = masses[:3, 3:] / weight
    centre = np.array([coupling[1, 2], coupling[2, 0], coupling[0, 1]])
    turned = _rigid(nodes - centre, size)[:, 3:]
    return Structure(m, k, nodes, size, weight, centre, turned.T @ (m @ turned))


def _size(mass: Any, stiffness: Any, nodes: FloatArray, what: str) -> int:
    if nodes.ndim != 2 or nodes.shape[1] != 3:
        raise ModelError(
            f"The nodes of {what} are an array of shape {nodes.shape}.",
            "Give one row of three coordinates for each node.",
        )
    n = mass.shape[0]
    if mass.shape != (n, n) or stiffness.shape != (n, n):
        raise ModelError(
            f"The mass of {what} is {mass.shape[0]} x {mass.shape[1]} and its stiffness "
            f"{stiffness.shape[0]} x {stiffness.shape[1]}.",
            "Give two square matrices of one size.",
        )
    for size in (3, 6):
        if n == size * len(nodes):
            return size
    raise ModelError(
        f"The matrices of {what} have {n} rows for {len(nodes)} nodes.",
        "Nodes have 3 unknowns (displacements) or 6 (displacements, then turns).",
    )


def _symmetric(given: Any, name: str, what: str) -> Any:
    matrix = sparse.csr_array(given)
    largest = abs(matrix).max()
    if abs(matrix - matrix.T).max() > SYMMETRY * largest:
        raise ModelError(
            f"The {name} of {what} is not symmetric.",
            "Give both halves of the matrix; a Matrix Market file may say 'symmetric'.",
        )
    return (matrix + matrix.T) / 2


def _rigid(arms: FloatArray, size: int) -> FloatArray:
    """Return translations and rotations about the origin of the arms as displacements."""
    found = np.zeros((len(arms), size, 6))
    found[:, :3, :3] = AXES
    found[:, :3, 3:] = np.cross(AXES[None, :, :], arms[:, None, :]).transpose(0, 2, 1)
    if size == 6:
        found[:, 3:, 3:] = AXES
    return found.reshape(-1, 6)
