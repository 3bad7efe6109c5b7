r"""Shortest period of the linearised motion, by power iteration: a limit of the step size.

Small perturbations of a motion satisfy ``M dq'' + K dq = G^T dlam`` and ``H dq = 0``, with the
tangent stiffness ``K = d r / d q`` at the accelerations and Lagrange multipliers of an instant.
The velocities of the motion change slowly compared with the fastest of these, so terms with
``dq'`` are neglected. The map ``y -> x`` of

.. math:: \begin{bmatrix} M & -G^T \\ H & \varepsilon \end{bmatrix}
          \begin{bmatrix} x \\ \mu \end{bmatrix} = \begin{bmatrix} K y \\ 0 \end{bmatrix}

maps perturbations compatible with the constraints to ``-y''``; its spectral radius is the square
of the highest frequency, for oscillating and for growing perturbations.
"""

from collections.abc import Callable
from math import inf, isfinite, nan, pi, sqrt

import numpy as np
import scipy.sparse as sp

from mbdgen.errors import MbdgenError
from mbdgen.runtime.system.run_workspace import INDEX_1
from mbdgen.runtime.system.system import System
from mbdgen.runtime.system.system_data import FloatArray

STIFFNESS = (1.0, 0.0, 0.0)
"""Weights of ``r_q``, ``r_v`` and ``r_a`` in the matrix of an implicit step."""
SMALL = 60
"""Number of equations up to which a dense matrix is faster than a sparse one."""
ITERATIONS = 60
ACCURATE = 1e-3
"""Relative change of the squared frequency at which the power iteration ends."""


def linearised_period(
    system: System, t: float, q: FloatArray, v: FloatArray, a: FloatArray, lam: FloatArray
) -> float:
    """Return the shortest period at a state; infinite without stiffness, NaN if unknown.

    Parameters
    ----------
    system : System
        System with the parameters of the run.
    t, q, v, a, lam : float and arrays
        A consistent state with its accelerations and Lagrange multipliers.
    """
    if len(q) != system.n_q or len(lam) != system.n_lam or len(system.data.crowds):
        return nan
    if "matrix" not in system.offers or not isfinite(float(q.sum() + v.sum() + a.sum())):
        return nan
    if not isfinite(float(lam.sum())):
        return nan
    small = system.n <= SMALL
    try:
        stiffness = system.matrix_values(t, q, v, a, lam, STIFFNESS)
        inertia = system.matrix_values(t, q, v, a, lam, INDEX_1)
        inertia[system.work.diagonal] += system.work.eps
        respond = (_full if small else _sparse)(system, stiffness, inertia)
    except (MbdgenError, np.linalg.LinAlgError, RuntimeError):
        return nan
    squared = _spectral_radius(respond, system.n_q)
    if not isfinite(squared):
        return nan
    return 2.0 * pi / sqrt(squared) if squared > 0.0 else inf


def _full(
    system: System, stiffness: FloatArray, inertia: FloatArray
) -> Callable[[FloatArray], FloatArray]:
    n, n_q = system.n, system.n_q
    columns = np.repeat(np.arange(n), np.diff(system.work.indptr))
    tables = np.zeros((2, n, n))
    tables[0, system.work.indices, columns] = inertia
    tables[1, system.work.indices, columns] = stiffness
    tables[1, n_q:] = 0.0
    return np.asarray(np.linalg.solve(tables[0], tables[1, :, :n_q])[:n_q]).__matmul__


def _sparse(
    system: System, stiffness: FloatArray, inertia: FloatArray
) -> Callable[[FloatArray], FloatArray]:
    from scipy.sparse.linalg import splu

    n, n_q = system.n, system.n_q
    pattern, shape = (system.work.indices, system.work.indptr), (n, n)
    factors = splu(sp.csc_array((inertia, *pattern), shape=shape))
    tangent = sp.csc_array((stiffness, *pattern), shape=shape)[:n_q, :n_q]
    load = np.zeros(n)

    def respond(y: FloatArray) -> FloatArray:
        load[:n_q] = tangent @ y
        return np.asarray(factors.solve(load)[:n_q])

    return respond


def _spectral_radius(respond: Callable[[FloatArray], FloatArray], n: int) -> float:
    """Return the modulus of the largest eigenvalue, by power iteration.

    Two iterations are combined, because of eigenvalues of opposite signs and equal moduli.
    """
    y = respond(respond(np.cos(np.arange(1.0, n + 1.0) ** 2)))
    size = sqrt(float(y @ y))
    squared = 0.0
    for _ in range(ITERATIONS):
        if not (size > 0.0 and isfinite(size)):
            return size
        y = respond(respond(y / size))
        size, before = sqrt(float(y @ y)), size
        squared = sqrt(size)
        if abs(size - before) <= ACCURATE * size:
            break
    return squared
