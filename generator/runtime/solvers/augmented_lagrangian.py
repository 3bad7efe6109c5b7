"""Augmented Lagrangian method: iterative multipliers, with a matrix of the size of the coordinates.

``(A + G^T alpha H) x = b + G^T (lam + alpha c)``,  ``lam += alpha (c - H x)``

solves ``[A, -G^T; H, 0] [x; lam] = [b; c]``. Each iteration multiplies the error by
``1/(1 + alpha s)``, where ``s`` are the eigenvalues of ``H A^-1 G^T``; directions with ``s = 0``
belong to redundant constraints and do not enter ``lam``, which starts from zero. ``A`` may be
singular if it is regular on the null space of the constraints.
"""

from mbdgen.runtime.linalg.dense_lu import lu, lu_solve
from mbdgen.runtime.methods.option import Option
from mbdgen.runtime.program.compiled_functions import internal, separate
from mbdgen.runtime.solvers.dense_workspace import (
    DENSE,
    OF_PHI,
    OF_PHI_DDOT,
    OF_PHI_DOT,
    OPTIONS,
    DenseWorkspace,
)
from mbdgen.runtime.solvers.saddle_point import eliminate_by_lu
from mbdgen.runtime.solvers.scheme_functions import eliminates
from mbdgen.runtime.system.run_workspace import (
    FACTORISATIONS,
    NOT_CONVERGED,
    OK,
    WORK,
    RunWorkspace,
)
from mbdgen.runtime.system.system_data import FloatArray
from mbdgen.subset import types

PASSES = 100
ROUND_OFF, NEARLY = 1e-13, 1e-9
"""Relative changes of ``x`` that end the iteration: always, and if they no longer decrease."""
CREEPING = 0.999
"""Changes that decrease by less are in directions invisible to the constraints."""
TOLERATED = 1e-3
"""Tolerance of the residual ``c - H x`` in that case, relative to its terms."""


def penalty_option(default: float, lowest: float, highest: float, unit: str) -> Option:
    """Return the penalty ``alpha``, the first option of all formulations solved here.

    Far below its default the iterations end before the multipliers have converged, far above it
    the mass matrix is lost to round-off.
    """
    text = f"penalty in {unit}: a larger one needs fewer iterations and costs digits"
    return Option("penalty", default, lowest, highest, text)


@separate(types.int64(WORK, DENSE, types.float64))
def factorise_augmented(work: RunWorkspace, dense: DenseWorkspace, alpha: float) -> int:
    """``spare[0] <-`` LU of ``A + G^T alpha H``, with ones on the diagonal of multipliers."""
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
def _constraint_gaps(dense: DenseWorkspace, n_q: int, gaps: FloatArray) -> float:
    """``gaps <- c - H x``; return the largest residual relative to the terms of the largest row.

    A single row is no reference: where nothing moves, its terms are pure round-off.
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


@internal
def _forces_missing(dense: DenseWorkspace, n_q: int, alpha: float, gaps: FloatArray) -> None:
    """``line[1] <- b - A x + G^T (lam + alpha gaps)``."""
    rest, x = dense.line[1], dense.x
    for i in range(n_q):
        total = dense.rhs[i]
        for j in range(n_q):
            total -= dense.K[i, j] * x[j]
        for k in range(n_q, len(gaps)):
            total -= dense.K[i, k] * (x[k] + alpha * gaps[k])
        rest[i] = total
    for k in range(n_q, len(gaps)):
        rest[k] = 0.0


@separate(types.int64(WORK, DENSE, types.float64))
def eliminate_augmented(work: RunWorkspace, dense: DenseWorkspace, alpha: float) -> int:
    """Solve ``K x = rhs`` iteratively from zero; ``x`` is refined, not recomputed.

    Iterative refinement removes the round-off of ``alpha`` from ``x``: the remainder is in ``lam``.
    The iteration ends when ``x`` has converged: off the constraints redundant rows are
    inconsistent, and their residual ``c - H x`` never vanishes.
    """
    n, n_q, x = dense.K.shape[0], dense.K.shape[0] - len(work.eps), dense.x
    gaps, rest, change = dense.line[0], dense.line[1], dense.line[2]
    status = factorise_augmented(work, dense, alpha)
    if status != OK:
        return status
    for i in range(n):
        x[i] = 0.0
    gap, before = _constraint_gaps(dense, n_q, gaps), 1e300
    for step in range(PASSES):
        _forces_missing(dense, n_q, alpha, gaps)
        lu_solve(dense.spare[0], dense.order, rest, change)
        moved, size = 0.0, 0.0
        for i in range(n_q):
            x[i] += change[i]
            moved, size = max(moved, abs(change[i])), max(size, abs(x[i]))
        gap = _constraint_gaps(dense, n_q, gaps)
        for k in range(n_q, n):
            x[k] += alpha * gaps[k]
        stalled = moved <= NEARLY * size and moved > 0.5 * before
        if step > 0 and (moved <= ROUND_OFF * size or stalled):
            return OK
        if moved > CREEPING * before:
            break
        before = moved
    return OK if gap <= TOLERATED else NOT_CONVERGED


@eliminates
def by_augmented_lagrangian(work: RunWorkspace, dense: DenseWorkspace) -> int:
    """``lam += alpha (w_2 phi_ddot + w_1 phi_dot + w_0 phi)`` until convergence.

    In an implicit relation these are the linearised constraints of one iteration of Newton's
    method, whose unknowns are accelerations: hence the weights with which they depend on these. The
    remaining error is left to the next iteration.
    """
    w, c_v = dense.numbers, work.weights[1]
    weight = w[OF_PHI_DDOT] + c_v * w[OF_PHI_DOT] + work.weights[0] * w[OF_PHI]
    if weight == 0.0:  # accelerations of a consistent state, where positions have no weight
        return eliminate_by_lu(work, dense)
    status = eliminate_augmented(work, dense, w[OPTIONS] * weight)
    return OK if status == NOT_CONVERGED and c_v > 0.0 else status
