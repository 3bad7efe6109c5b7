"""Coordinates that are unit vectors: quaternions, and pairs (cosine, sine)."""

from collections.abc import Iterable

import numpy as np

from mbdgen.runtime.compiled import internal
from mbdgen.runtime.data import FloatArray, IntArray


def rates_of_displacements(q: FloatArray, units: Iterable[tuple[int, int]]) -> FloatArray:
    r"""Return ``T`` of ``v = T u`` with a column for every row: zero columns stand for norm rows.

    The identity, but for unit vectors: :math:`\tfrac12 \bar E(q)^T` for a quaternion (rotations in
    body axes), the normal for a pair (cosine, sine).

    Parameters
    ----------
    q : array
        Coordinates.
    units : iterable of (int, int)
        First coordinate and length of each unit vector.
    """
    full = np.eye(len(q))
    for first, size in units:
        place = slice(first, first + size)
        full[place, place] = 0.0
        part = q[place]
        if size == 2:
            full[place, first] = (-part[1], part[0])
            continue
        s, (x, y, z) = part[0], part[1:]
        rows = ((-x, s, z, -y), (-y, -z, s, x), (-z, y, -x, s))
        full[place, first : first + 3] = 0.5 * np.array(rows).T
    return full


@internal
def normalise(unit_blocks: IntArray, q: FloatArray) -> None:
    """Make unit vectors exactly so: rows of ``unit_blocks`` are their first places and lengths."""
    for k in range(unit_blocks.shape[0]):
        first, last = unit_blocks[k, 0], unit_blocks[k, 0] + unit_blocks[k, 1]
        square = 0.0
        for i in range(first, last):
            square += q[i] * q[i]
        length = np.sqrt(square)
        for i in range(first, last):
            q[i] /= length
