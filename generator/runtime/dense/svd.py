"""Singular value decomposition of a matrix of known rank, as a factorisation of `dense.basis`."""

import numpy as np

from mbdgen.runtime.compiled import internal
from mbdgen.runtime.data import FloatArray
from mbdgen.runtime.dense.basis import product_by
from mbdgen.runtime.dense.unit import fill_identity
from mbdgen.runtime.work import NOT_FINITE, OK


@internal
def _svd(matrix: FloatArray, rank: int, left: FloatArray, basis: FloatArray) -> int:
    """``matrix = U S V^T``: ``L = U S`` and ``B = V^T`` of the largest ``rank`` singular values."""
    m, n = matrix.shape
    if rank == 0:
        fill_identity(basis)
        return OK
    if not np.isfinite(np.abs(matrix).max()):
        return NOT_FINITE  # LAPACK would raise an exception, which nobody hears of here
    u, s, vt = np.linalg.svd(matrix)
    for i in range(m):
        for k in range(rank):
            left[i, k] = u[i, k] * s[k]
    for i in range(n):
        for j in range(n):
            basis[i, j] = vt[i, j]
    return OK


by_svd = product_by(_svd)
"""``(matrix, rank) -> status, product``"""
