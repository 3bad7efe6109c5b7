r"""Euler parameters (unit quaternions) of rotation matrices, continuous in time.

.. math:: p = (e_0, e) = (\cos\tfrac\varphi2,\; n \sin\tfrac\varphi2), \qquad
    R = (2 e_0^2 - 1) E + 2 (e e^T + e_0 \tilde e)

The largest of the four follows from its square, the others from it, so that no digits cancel.
"""

import numpy as np

from mbdgen.runtime.system.system_data import FloatArray


def euler_parameters(R: FloatArray) -> FloatArray:
    """Return the parameters of rotations ``(n_t, n, 3, 3)`` as ``(n_t, n, 4)``, scalar first.

    The first quaternion of every body has a non-negative scalar part; afterwards the sign is that
    of the nearer quaternion, so that series are continuous (for less than a turn between instants).
    """
    p = _any_sign(R)
    products = np.sum(p[1:] * p[:-1], axis=2)
    steps = np.where(products < 0.0, -1.0, 1.0)  # also for NaN
    first = np.where(p[:1, :, 0] < 0.0, -1.0, 1.0)
    signs = np.cumprod(np.concatenate([first, steps]), axis=0)
    return p * signs[:, :, None]


def _any_sign(R: FloatArray) -> FloatArray:
    diagonal = np.einsum("tnii->tni", R)
    trace = diagonal.sum(axis=2, keepdims=True)
    # Four times the square of each parameter.
    squares = 1.0 + np.concatenate([trace, 2.0 * diagonal - trace], axis=2)
    others = {(0, k + 1): R[..., j, i] - R[..., i, j] for k, (i, j) in enumerate(_CYCLES)}
    others |= {(i + 1, j + 1): R[..., i, j] + R[..., j, i] for i, j in ((0, 1), (0, 2), (1, 2))}
    # Each of these is four times a product of two, so every row is the quaternion up to a factor.
    rows = np.empty((*R.shape[:2], 4, 4))
    for (i, j), product in others.items():
        rows[..., i, j] = rows[..., j, i] = product
    for k in range(4):
        rows[..., k, k] = squares[..., k]
    largest = np.argmax(squares, axis=2)
    chosen = np.take_along_axis(rows, largest[..., None, None], axis=2)[..., 0, :]
    lengths = np.linalg.norm(chosen, axis=2, keepdims=True)
    parameters: FloatArray = chosen / lengths
    return parameters


_CYCLES = ((1, 2), (2, 0), (0, 1))
