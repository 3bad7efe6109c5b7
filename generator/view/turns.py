"""Small turns of sections and nodes of bodies in floating frames, as their equations take them."""

import numpy as np

from mbdgen.runtime.data import FloatArray


def turned(turn: FloatArray) -> FloatArray:
    """Return the rotation whose Gibbs vector is half of a turn, as of the body's places."""
    g = turn / 2
    cross = np.cross(g[..., None, :], np.eye(3)).swapaxes(-1, -2)
    share = (2 / (1 + np.sum(g**2, axis=-1)))[..., None, None]
    found: FloatArray = np.eye(3) + share * (cross + cross @ cross)
    return found
