"""Augmented Lagrangians: multipliers by iteration, with a matrix of the size of the coordinates.

``(A + G^T alpha H) x = b + G^T (lam + alpha c)``,  ``lam += alpha (c - H x)``

solves ``[A, -G^T; H, 0] [x; lam] = [b; c]``. Each pass leaves ``1/(1 + alpha s)`` of the error,
where ``s`` are the eigenvalues of ``H A^-1 G^T``; directions with ``s = 0`` belong to dependent rows
and stay out of ``lam``, which starts from zero. ``A`` may be singular where the constraints hold
the motion.
"""

from numba import types

from mbdgen.runtime.compiled import internal, separate
from mbdgen.runtime.data import FloatArray
from mbdgen.runtime.dense.lu import lu, lu_solve
from mbdgen.runtime.dense.parts import eliminates
from mbdgen.runtime.dense.room import (
    DENSE,
    OF_PHI,
    OF_PHI_DDOT,
    OF_PHI_DOT,
    OPTIONS,
    Dense,
)
from mbdgen.runtime.option import Option
from mbdgen.runtime.work import FACTORISATIONS, NOT_CONVERGED, OK, WORK, Work

PASSES = 200
ROUND_OFF = 1e-13
"""What ``c - H x`` may be, relative to its terms."""
TOLERATED = 1e-8
"""The same where further passes make no progress."""


def penalty_option(default: float, text: str) -> Option:
    """Return ``alpha``, which is the first option of all formulations that are solved here."""
    return Option("alpha", default, 1e-6, 1e15, text)


@separate(types.int64(WORK, DENSE, types.float64))
def factorise_augmented(work: Work, dense: Dense, alpha: float) -> int:
    """``spare[0] <-`` LU of ``A + G^T alpha H``, with ones in the places of multipliers."""
    n, n_q, K, factors = dense.K.shape[0], dense.K.shape[0] - len(work.eps), dense.K, dense.spare[0]
    for i in range(n):
        for j in range(n):
            factors[i, j] = K[i, j] if i < n_q and j < n_q else 0.0
    for k in range(n_q, n):
        factors[k, k] = 1.0
        for i in range(n_q):
            weight = -alpha * K[i, k]
            if weight != 0.0:
                for j in range(n_q):
                    factors[i, j] += weight * K[k, j]
    work.counters[FACTORISATIONS] += 1
    return lu(factors, dense.order)


@internal
def _constraint_gaps(dense: Dense, n_q: int, gaps: FloatArray) -> float:
    """``gaps <- c - H x``; return the largest one relative to the terms of the largest row.

    A row of its own is no measure: where it is at rest its terms are round-off of each other.
    """
    worst, top = 0.0, 0.0
    for k in range(n_q, len(gaps)):
        gap, size = dense.rhs[k], abs(dense.rhs[k])
        for j in range(n_q):
            term = dense.K[k, j] * dense.x[j]
            gap -= term
            size += abs(term)
        gaps[k] = gap
        worst, top = max(worst, abs(gap)), max(top, size)
    return worst / top if top > 0.0 else 0.0


@separate(types.int64(WORK, DENSE, types.float64))
def eliminate_augmented(work: Work, dense: Dense, alpha: float) -> int:
    """Solve ``K x = rhs`` by passes that start from zero; ``x`` is refined, not found anew.

    Refinement takes the round-off of ``alpha`` out of ``x``: what remains of it is in ``lam``.
    """
    n, n_q, x = dense.K.shape[0], dense.K.shape[0] - len(work.eps), dense.x
    gaps, rest, change = dense.line[0], dense.line[1], dense.line[2]
    status = factorise_augmented(work, dense, alpha)
    if status != OK:
        return status
    for i in range(n):
        x[i] = 0.0
    before = 1e300
    for step in range(PASSES):
        size = _constraint_gaps(dense, n_q, gaps)
        for k in range(n_q, n):
            if step > 0:
                x[k] += alpha * gaps[k]
            rest[k] = 0.0
        stalled = size <= TOLERATED and size > 0.5 * before
        if step > 0 and (size <= ROUND_OFF or stalled):
            return OK
        before = size if step > 0 else 1e300
        for i in range(n_q):
            total = dense.rhs[i]
            for j in range(n_q):
                total -= dense.K[i, j] * x[j]
            for k in range(n_q, n):
                total -= dense.K[i, k] * (x[k] + alpha * gaps[k])
            rest[i] = total
        lu_solve(dense.spare[0], dense.order, rest, change)
        for i in range(n_q):
            x[i] += change[i]
    return NOT_CONVERGED


@eliminates
def by_augmented_lagrangian(work: Work, dense: Dense) -> int:
    """``lam += alpha (w_2 phi_ddot + w_1 phi_dot + w_0 phi)`` until they are all zero.

    In an implicit relation these are the linearised constraints of one iteration of Newton's
    method, whose unknowns are accelerations: hence the weights with which they depend on these.
    """
    w, c_q, c_v = dense.numbers, work.weights[0], work.weights[1]
    weight = w[OF_PHI_DDOT] + c_v * w[OF_PHI_DOT] + c_q * w[OF_PHI]
    return eliminate_augmented(work, dense, w[OPTIONS] * weight)
