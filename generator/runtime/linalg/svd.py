"""Singular value decomposition of a matrix of known rank, for `linalg.orthonormal_bases`."""

import numpy as np

from mbdgen.runtime.linalg.jacobi_svd import decompose
from mbdgen.runtime.linalg.orthonormal_bases import fill_identity, product_by
from mbdgen.runtime.linalg.pivot_reuse import PivotChoice
from mbdgen.runtime.program.compiled_functions import internal
from mbdgen.runtime.system.system_data import FloatArray


@internal
def _svd(
    matrix: FloatArray,
    rank: int,
    pivots: PivotChoice,
    choose: bool,
    left: FloatArray,
    basis: FloatArray,
) -> float:
    """Factorise ``matrix = U S V^T``: ``L = U S``, ``B = V^T`` of ``rank`` largest singular values.

    Without pivoting: at a violated position this is the nearest matrix of that rank.
    """
    if rank == 0:
        fill_identity(basis)
        return 1.0
    if not np.abs(matrix).max() <= 1e300:
        return 0.0
    return 1.0 if decompose(matrix, rank, left, basis) > 0.0 else 0.0


by_svd = product_by(_svd)
"""``(matrix, rank, pivots) -> status, product``"""
