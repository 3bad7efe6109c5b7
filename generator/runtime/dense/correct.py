"""Iterations that bring a state onto its constraints, with any choice of the correction."""

from typing import Any

from mbdgen.runtime.abi import Kernels
from mbdgen.runtime.compiled import internal
from mbdgen.runtime.dense.parts import projects
from mbdgen.runtime.dense.room import Dense
from mbdgen.runtime.dense.saddle import fill_matrix
from mbdgen.runtime.equations import evaluate_rates, evaluate_residual, largest, largest_constraint
from mbdgen.runtime.projections import PASSES, ROUND_OFF, TOLERATED
from mbdgen.runtime.work import NOT_CONVERGED, OK, State, Work


@internal
def _oppose(work: Work, dense: Dense, of_rates: bool) -> float:
    """``rhs <- [0; -violation]``; return the largest violation."""
    violation = work.rates if of_rates else work.residual
    for i in range(len(dense.rhs)):
        dense.rhs[i] = 0.0
    for row in work.rows:
        dense.rhs[row] = -violation[row]
    return largest_constraint(work, violation, 0)


@projects
def correct(change: Any, kernels: Kernels, work: Work, state: State, dense: Dense) -> int:
    """Add solutions of ``change``, for ``rhs = -phi``, to ``q`` until ``phi = 0``; then to ``v``.

    ``dense.K`` is ``[M, -G^T; H, 0]`` at the position that is corrected.
    """
    t, q, v, a, lam = state.clock[0], state.q, state.v, state.a, state.lam
    before = 1e300
    for _ in range(2 * PASSES):
        status = evaluate_residual(kernels, work, t, q, v, a, lam)
        if status == OK:
            status = fill_matrix(kernels, work, state, dense, 0.0, 0.0)
        if status != OK:
            return status
        size = _oppose(work, dense, of_rates=False)
        if size <= ROUND_OFF * (1.0 + largest(q)) or not size < 0.5 * before:
            before = min(size, before)
            break
        before = size
        status = change(work, dense)
        if status != OK:
            return status
        for i in range(len(q)):
            q[i] += dense.x[i]
    if before > TOLERATED * (1.0 + largest(q)):
        return NOT_CONVERGED
    for _ in range(2):
        status = evaluate_rates(kernels, work, t, q, v, a, lam)
        if status != OK:
            return status
        if _oppose(work, dense, of_rates=True) <= ROUND_OFF * (1.0 + largest(v)):
            break
        status = change(work, dense)
        if status != OK:
            return status
        for i in range(len(v)):
            v[i] += dense.x[i]
    return OK
