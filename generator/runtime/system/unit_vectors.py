"""Unit vectors among the coordinates: quaternions, and pairs (cosine, sine)."""

import numpy as np

from mbdgen.runtime.program.compiled_functions import internal
from mbdgen.runtime.system.system_data import FloatArray, IntArray


def unit_map(part: FloatArray) -> FloatArray:
    r"""Return the square block of ``T`` of ``v = T u`` that belongs to a unit vector.

    :math:`\tfrac12 \bar E(q)^T` for a quaternion (rotations in body axes), the normal for a pair
    (cosine, sine); the column of the norm equation is zero.
    """
    block = np.zeros((len(part), len(part)))
    if len(part) == 2:
        block[:, 0] = (-part[1], part[0])
        return block
    s, (x, y, z) = part[0], part[1:]
    block[:, :3] = 0.5 * np.array(((-x, s, z, -y), (-y, -z, s, x), (-z, y, -x, s))).T
    return block


@internal
def normalise(unit_blocks: IntArray, q: FloatArray) -> None:
    """Normalise unit vectors; rows of ``unit_blocks`` are their first indices and lengths."""
    for k in range(unit_blocks.shape[0]):
        first, last = unit_blocks[k, 0], unit_blocks[k, 0] + unit_blocks[k, 1]
        square = 0.0
        for i in range(first, last):
            square += q[i] * q[i]
        length = np.sqrt(square)
        for i in range(first, last):
            q[i] /= length
