"""Picture data of a flexible body given by matrices: nodes, couplings between them, modes.

`mbdgen.view.wires` reads the thickness, the numbers of modes, points and wires, the two ends of
every wire, and of every point its position from the centre of mass and its displacement and
rotation in every mode. Wires connect the nodes coupled by the matrices; if these are too many, they
lead from the centre of mass to the interface.
"""

from typing import TYPE_CHECKING

import numpy as np
from scipy import sparse

from mbdgen.language.expressions.scalars import Scalar
from mbdgen.modal.craig_bampton import IntArray

if TYPE_CHECKING:
    from mbdgen.language.flexible.flexible_body import FlexibleBody

MOST = 300
"""Largest number of wires."""
THICK = 0.015
"""Thickness of a wire relative to the size of the body."""


def picture_of(body: "FlexibleBody") -> tuple[Scalar, ...]:
    """Return the picture data of a flexible body."""
    found, modes = body.structure, body.modes
    shapes = np.zeros((len(found.nodes), 6, len(modes.values)))
    shapes[:, : found.size] = modes.shapes.reshape(len(found.nodes), found.size, -1)
    boundary = body.interface.places
    points = np.vstack([found.nodes, boundary]) - found.centre
    moved = np.concatenate([shapes, modes.at_interface])
    wires = _coupled(found.stiffness, found.size)
    first = len(found.nodes)
    tied = [(first + k, x) for k, x in enumerate(body.interface.groups) if len(x) > 1]
    ties = np.array([(k, j) for k, group in tied for j in group], np.int64).reshape(-1, 2)
    wires = np.vstack([wires, ties])
    if len(wires) > MOST:
        points = np.vstack([np.zeros(3), points[first:]])
        moved = np.concatenate([np.zeros((1, *moved.shape[1:])), moved[first:]])
        wires = np.column_stack([np.zeros(len(boundary), np.int64), 1 + np.arange(len(boundary))])
    size = THICK * float(np.ptp(found.nodes, axis=0).max())
    counts = [size, moved.shape[2], len(points), len(wires)]
    turned = moved.transpose(0, 2, 1).ravel()  # point, mode, component
    return tuple(map(float, [*counts, *wires.ravel(), *points.ravel(), *turned]))


def _coupled(stiffness: object, size: int) -> IntArray:
    """Return the pairs of nodes coupled by the stiffness matrix."""
    entries = sparse.coo_array(stiffness)
    far = abs(entries.data) > 1e-9 * abs(entries.data).max()
    pairs = np.column_stack([entries.row[far] // size, entries.col[far] // size])
    found: IntArray = np.unique(pairs[pairs[:, 0] < pairs[:, 1]], axis=0).astype(np.int64)
    return found
