"""Solution of least norm of underdetermined linear equations of any rank, regularised."""

import numpy as np
import scipy.sparse as sp
from scipy.sparse.linalg import splu

from mbdgen.runtime.system.system_data import FloatArray

SMALL = 150
"""Number of unknowns up to which a dense solution is faster than setting up a sparse matrix."""


def least_change(jacobian: sp.csr_array, rhs: FloatArray, mu: float) -> FloatArray:
    """Return ``H^T (H H^T + mu)^-1 rhs``, from ``[1, -H^T; H, mu] [x; y] = [0; rhs]``.

    The augmented system avoids squaring the condition number.
    """
    m, n = jacobian.shape
    if m == 0 or n == 0:
        return np.zeros(n)
    if m + n <= SMALL:
        dense = np.eye(m + n)
        dense[n:, :n] = jacobian.toarray()
        dense[:n, n:] = -dense[n:, :n].T
        dense[n:, n:] *= mu
        change: FloatArray = np.linalg.solve(dense, np.concatenate([np.zeros(n), rhs]))[:n]
        return change
    matrix = sp.block_array(
        [[sp.eye_array(n), -jacobian.T], [jacobian, mu * sp.eye_array(m)]], format="csc"
    )
    x: FloatArray = splu(matrix).solve(np.concatenate([np.zeros(n), rhs]))[:n]
    return x
