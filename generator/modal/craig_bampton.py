r"""Craig-Bampton reduction: static constraint modes and fixed-interface normal modes.

.. math:: u = \begin{pmatrix} E & 0 \\ -K_{ii}^{-1} K_{ib} & \Phi \end{pmatrix}
    \begin{pmatrix} u_b \\ p \end{pmatrix}

The reduced body is then described by its own normal modes: of the free body, whose elastic modes
have no momentum, or of the body fixed at one interface node.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.linalg import eigh
from scipy.sparse.linalg import eigsh, splu

from mbdgen.errors import ModelError
from mbdgen.modal.structure import AXES, FloatArray, Structure

IntArray = NDArray[np.int64]
USUAL = 10
DENSE = 600
"""Unknowns up to which all vibrations are computed, as that is soonest done."""
APART = 1e-4
"""Squares of frequencies of rigid motions, relative to the first elastic one, are below this."""


@dataclass(frozen=True)
class Interface:
    """Interface of a structure, where joints may be attached.

    Attributes
    ----------
    groups : tuple of arrays
        Nodes that each place consists of: one, or several that are tied together rigidly.
    map : sparse matrix
        Displacements of the structure by the unknowns that are left.
    unknowns : tuple of arrays
        Those of every place: of the node, or six of the tie.
    places : array
        Of the nodes, or of the middles of the ties.
    """

    groups: tuple[IntArray, ...]
    map: Any
    unknowns: tuple[IntArray, ...]
    places: FloatArray


@dataclass(frozen=True)
class ReducedModes:
    """Normal modes of a reduced structure.

    Attributes
    ----------
    values : array, shape (n,)
        Squares of frequencies.
    shapes : array, shape (unknowns of the structure, n)
        Displacements, of unit mass.
    at_interface : array, shape (places, 6, n)
        Displacements and rotations there; a node without rotations has none.
    """

    values: FloatArray
    shapes: FloatArray
    at_interface: FloatArray


def interface(body: Structure, groups: tuple[IntArray, ...], what: str = "body") -> Interface:
    """Connect the groups of nodes rigidly, and number the remaining unknowns."""
    size, n = body.size, len(body.nodes)
    tied = [g for g in groups if len(g) > 1]
    gone = np.concatenate([*tied, np.zeros(0, np.int64)]).astype(np.int64)
    left = np.setdiff1d(np.arange(n), gone)
    own = (size * left[:, None] + np.arange(size)).ravel()
    columns = [sparse.csc_array(sparse.eye_array(size * n, format="csc")[:, own])]
    place = {int(k): i for i, k in enumerate(left)}
    unknowns, places, first = [], [], len(own)
    for group in groups:
        middle = body.nodes[group].mean(axis=0)
        places.append(middle)
        if len(group) == 1:
            unknowns.append(size * place[int(group[0])] + np.arange(size))
            continue
        block = np.zeros((len(group), size, 6))
        block[:, :3, :3] = AXES
        arms = body.nodes[group] - middle
        block[:, :3, 3:] = np.cross(AXES[None], arms[:, None, :]).transpose(0, 2, 1)
        block[:, 3:, 3:] = np.eye(3)[: size - 3]
        rows = (size * group[:, None] + np.arange(size)).ravel()
        tie = sparse.coo_array(
            (block.ravel(), (np.repeat(rows, 6), np.tile(np.arange(6), len(rows)))),
            shape=(size * n, 6),
        )
        _check_turning(block, arms, what)
        columns.append(sparse.csc_array(tie))
        unknowns.append(first + np.arange(6))
        first += 6
    whole = sparse.csc_array(sparse.hstack(columns))
    return Interface(groups, whole, tuple(unknowns), np.array(places).reshape(-1, 3))


def _check_turning(block: FloatArray, arms: FloatArray, what: str) -> None:
    """Reject a tie that can turn without any of its unknowns changing: about its own line."""
    size = max(float(np.abs(arms).max()), 1e-300)
    scaled = block.reshape(-1, 6) / np.array([1, 1, 1, size, size, size])
    if block.shape[1] == 3 and np.linalg.matrix_rank(scaled, tol=1e-6) < 6:
        raise ModelError(
            f"The interface of {what} ties nodes without turns together that are on one line.",
            "Tie at least three nodes that are not on one line.",
        )


def normal_modes(
    body: Structure, at: Interface, inner: int | None, held: int | None, highest: float, what: str
) -> ReducedModes:
    """Return the modes of a body.

    Parameters
    ----------
    inner : int, optional
        Number of fixed-interface modes; by default `USUAL`, or all if there are fewer.
    held : int or None
        Interface node to which the frame is fixed; None: modes of the free body.
    highest : float
        Cut-off circular frequency; modes above are omitted.
    """
    mass, stiffness = (
        sparse.csc_array(at.map.T @ (x @ at.map)) for x in (body.mass, body.stiffness)
    )
    basis = _basis(mass, stiffness, at, inner, what)
    if held is not None:
        first = sum(len(x) for x in at.unknowns[:held])
        basis = np.delete(basis, first + np.arange(len(at.unknowns[held])), axis=1)
    values, vectors = eigh(basis.T @ (stiffness @ basis), basis.T @ (mass @ basis))
    rigid = 6 if held is None else 0
    if len(values) > rigid > 0 and values[rigid - 1] > APART * values[rigid]:
        raise ModelError(
            f"{what} has fewer than six rigid motions beside its vibrations.",
            "Take more modes, or check that the stiffness is that of the free body.",
        )
    kept = np.arange(rigid, len(values))
    kept = kept[values[kept] <= highest**2]
    shapes = basis @ vectors[:, kept]
    at_interface = np.zeros((len(at.unknowns), 6, len(kept)))
    for k, unknowns in enumerate(at.unknowns):
        at_interface[k, : len(unknowns)] = shapes[unknowns]
    return ReducedModes(values[kept], np.asarray(at.map @ shapes), at_interface)


def _basis(mass: Any, stiffness: Any, at: Interface, wanted: int | None, what: str) -> FloatArray:
    """Return the columns of the reduction."""
    n = mass.shape[0]
    outside = np.concatenate([*at.unknowns, np.zeros(0, np.int64)]).astype(np.int64)
    inside = np.setdiff1d(np.arange(n), outside)
    there_are = len(inside) if len(outside) else n - 6
    inner = min(USUAL, there_are) if wanted is None else wanted
    if inner > there_are:
        raise ModelError(
            f"{what} has {there_are} vibrations with the interface held, not {inner}.",
            f"Give modes={there_are} or less.",
        )
    if not len(outside):
        return _vibrations(mass, stiffness, inner + 6, shift=True)
    k_inside = sparse.csc_array(stiffness[inside][:, inside])
    static = np.zeros((n, len(outside)))
    static[outside, np.arange(len(outside))] = 1.0
    if len(inside):
        coupling = stiffness[inside][:, outside].toarray()
        static[inside] = -_solved(k_inside, coupling, what)
    moving = np.zeros((n, inner))
    if inner:
        moving[inside] = _vibrations(mass[inside][:, inside], k_inside, inner, shift=False)
    return np.hstack([static, moving])


def _solved(matrix: Any, right: FloatArray, what: str) -> FloatArray:
    """Solve with the stiffness inside; it is singular if the interface does not hold the body."""
    try:
        found = splu(sparse.csc_matrix(matrix)).solve(right)
    except RuntimeError:
        found = np.full(right.shape, np.nan)
    wrong = np.abs(matrix @ found - right).max() if np.isfinite(found).all() else np.inf
    if not wrong <= 1e-6 * max(np.abs(right).max(), 1e-300) or np.abs(found).max() > 1e8:
        raise ModelError(
            f"The interface of {what} does not hold it: it could still move as a rigid body.",
            "Nodes without turns hold it by three that are not on one line, or by a group of nodes "
            "that are tied together.",
        )
    return np.asarray(found)


def _vibrations(mass: Any, stiffness: Any, count: int, shift: bool) -> FloatArray:
    """Return the lowest modes; with a shift where rigid motions make the stiffness singular."""
    n = mass.shape[0]
    count = min(count, n)
    if n <= DENSE or count > n // 2:
        dense = (x.toarray() for x in (stiffness, mass))
        return np.asarray(eigh(*dense, subset_by_index=(0, count - 1))[1])
    scale = stiffness.diagonal().sum() / mass.diagonal().sum()
    sigma = -1e-6 * scale if shift else 0.0
    start = np.random.default_rng(1).uniform(0.5, 1.0, n)
    found = eigsh(
        sparse.csc_matrix(stiffness), count, sparse.csc_matrix(mass), sigma=sigma, v0=start
    )
    return np.asarray(found[1][:, np.argsort(found[0])])
