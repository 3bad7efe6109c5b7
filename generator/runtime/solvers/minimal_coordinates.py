"""Minimal coordinates (independent generalised coordinates), valid in a neighbourhood of one state.

``q = q_P + N s``,  ``v = v_P + N s_dot + V s``,  ``a = a_P + N s_ddot + 2 V s_dot + A s``

solve the linearised constraints of three levels for any ``s``; ``N`` is an orthonormal basis of the
null space of ``H``, all other terms are solutions of least norm. ``s`` has as many components as
degrees of freedom: at iterates off the constraints redundant rows are independent, so the rank must
not be determined by a tolerance; the smallest singular values are dropped.
"""

from typing import NamedTuple

import numpy as np

from mbdgen.runtime.linalg.orthonormal_bases import pseudo_inverse
from mbdgen.runtime.linalg.pivot_reuse import no_pivots
from mbdgen.runtime.linalg.svd import by_svd
from mbdgen.runtime.program.compiled_functions import internal, separate
from mbdgen.runtime.solvers.linearised_equations import LINEAR, LinearisedEquations
from mbdgen.runtime.system.run_workspace import OK, REAL_ARRAY, REAL_TABLE, STATE, State
from mbdgen.runtime.system.system_data import FloatArray
from mbdgen.subset import types


class MinimalCoordinates(NamedTuple):
    """Null-space coordinates of the motion, and of the reactions.

    Attributes
    ----------
    N, V, A : array, shape (n_q, dof)
        See the module.
    q, v, a : array
        ``q_P`` minus the position of the state, ``v_P``, ``a_P``.
    H_inverse : array
        Pseudo-inverse of ``H``.
    N_G : array
        Basis of the null space of ``G``: ``N_G^T G^T = 0``.
    G_inverse : array
        Pseudo-inverse of ``G``; its transpose gives the multipliers.
    """

    N: FloatArray
    V: FloatArray
    A: FloatArray
    q: FloatArray
    v: FloatArray
    a: FloatArray
    H_inverse: FloatArray
    N_G: FloatArray
    G_inverse: FloatArray


CHART = types.NamedTuple(
    (*[REAL_TABLE] * 3, *[REAL_ARRAY] * 3, *[REAL_TABLE] * 3),
    MinimalCoordinates,
)


@internal
def new_chart(linear: LinearisedEquations, dof: int) -> MinimalCoordinates:
    """Allocate the arrays."""
    m, n_q = linear.H.shape
    n_lam, n_r = linear.G.shape
    return MinimalCoordinates(
        np.zeros((n_q, dof)),
        np.zeros((n_q, dof)),
        np.zeros((n_q, dof)),
        np.zeros(n_q),
        np.zeros(n_q),
        np.zeros(n_q),
        np.zeros((n_q, m)),
        np.zeros((n_r, dof)),
        np.zeros((n_r, n_lam)),
    )


@separate(types.int64(REAL_TABLE, REAL_TABLE, REAL_TABLE))
def split(matrix: FloatArray, null: FloatArray, inverse: FloatArray) -> int:
    """Compute a basis of the null space, of given dimension, and the pseudo-inverse."""
    m, n = matrix.shape
    rank = n - null.shape[1]
    status, product = by_svd(matrix, rank, no_pivots(m, n))
    if status == OK:
        null[:, :] = product.basis[rank:].T
        inverse[:, :] = pseudo_inverse(product)
    return status


@separate(types.int64(LINEAR, STATE, CHART))
def make_chart(linear: LinearisedEquations, state: State, chart: MinimalCoordinates) -> int:
    """Compute the coordinates around a linearised state."""
    status = split(linear.H, chart.N, chart.H_inverse)
    if status == OK:
        status = split(linear.G, chart.N_G, chart.G_inverse)
    if status != OK:
        return status
    H, H_dot, H_ddot, inverse = linear.H, linear.H_dot, linear.H_ddot, chart.H_inverse
    chart.V[:, :] = -np.dot(inverse, np.dot(H_dot, chart.N))
    curvature = 2.0 * np.dot(H_dot, chart.V) + np.dot(H_ddot, chart.N)
    chart.A[:, :] = -np.dot(inverse, curvature)
    chart.q[:] = -np.dot(inverse, linear.phi)
    rest = np.dot(H, state.v) - linear.phi_dot - np.dot(H_dot, chart.q)
    chart.v[:] = np.dot(inverse, rest)
    rest = np.dot(H, state.a) - linear.phi_ddot - np.dot(H_ddot, chart.q)
    chart.a[:] = np.dot(inverse, rest + 2.0 * np.dot(H_dot, state.v - chart.v))
    return OK
