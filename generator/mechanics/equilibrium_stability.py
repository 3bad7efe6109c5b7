"""Stability of a static equilibrium: eigenvalues of reduced stiffness and inertia."""

import numpy as np
import scipy.linalg
from numpy.typing import NDArray

from mbdgen.mechanics.displacement_chart import chart_at
from mbdgen.mechanics.spaces import space
from mbdgen.runtime.system.run_workspace import State
from mbdgen.runtime.system.system import System
from mbdgen.runtime.system.system_data import FloatArray

NEUTRAL = 1e-11
"""Stiffnesses below this fraction of the terms that they are sums of are zero."""
REGULAR = 1e-6
"""Smallest inertia of a mode, relative to its terms, with separate eigenvectors."""


def stability_of(system: System, state: State) -> tuple[FloatArray, str]:
    """Return the eigenvalues ``k`` of ``K x = k M x`` (reduced), and the stability."""
    T = chart_at(system, state).T
    t, n_q = float(state.clock[0]), system.n_q
    rows = np.setdiff1d(np.arange(n_q), system.work.rows)
    at = (t, state.q, state.v, state.a, state.lam)
    K = system.matrix(*at, (1.0, 0.0, 0.0)).toarray()[rows]
    M = system.matrix(*at, (0.0, 0.0, 1.0)).toarray()[rows]
    right = T @ space(system.jacobian(t, state.q).toarray() @ T).null
    left = space(K[:, n_q:].T).null.T
    if not right.shape[1]:
        return np.zeros(0), "stable"
    values, sizes = _stiffnesses(left, K[:, :n_q], M[:, :n_q], right)
    limit = NEUTRAL * sizes
    oscillating = np.abs(values.imag).max(initial=0.0) > 1e-6 * np.abs(values).max(initial=0.0)
    if (values.real < -limit).any() or oscillating:
        return np.sort(values.real), "unstable"
    neutral = (np.abs(values.real) <= limit).any()
    return np.sort(values.real), "neutral" if neutral else "stable"


def _stiffnesses(
    left: FloatArray, K: FloatArray, M: FloatArray, right: FloatArray
) -> tuple[NDArray[np.complex128], FloatArray]:
    """Return the generalised eigenvalues of ``K`` and ``M``, and the sizes of their terms.

    An eigenvalue is the sum of the forces ``y^H K x`` over its inertia: the round-off of ``|y| |K|
    |x|`` cannot be distinguished from zero, in stiff and in soft modes alike.
    """
    inertia, stiffness = left @ M @ right, left @ K @ right
    values, ys, xs = scipy.linalg.eig(np.linalg.solve(inertia, stiffness), left=True)
    ys = np.linalg.solve(inertia.T, ys)  # left eigenvectors of the pencil (K, M)
    sizes = np.empty(len(values))
    for k, (y, x) in enumerate(zip(ys.T, xs.T, strict=True)):
        row, column = y.conj() @ left, right @ x
        mass = y.conj() @ inertia @ x
        terms = float(np.abs(row) @ np.abs(K) @ np.abs(column))
        if abs(mass) <= REGULAR * float(np.abs(row) @ np.abs(M) @ np.abs(column)):
            sizes[k] = np.abs(values).max()  # shared eigenvectors: no finer estimate
            continue
        values[k], sizes[k] = (y.conj() @ stiffness @ x) / mass, terms / abs(mass)
    return values, sizes
