"""Iterative projection of a state onto its constraints, for any type of correction."""

from collections.abc import Callable
from typing import Any, cast

from mbdgen.runtime.program.compiled_functions import internal
from mbdgen.runtime.program.kernel_abi import Kernels
from mbdgen.runtime.solvers.constraint_projections import PASSES, ROUND_OFF, TOLERATED
from mbdgen.runtime.solvers.dense_workspace import DenseWorkspace
from mbdgen.runtime.solvers.saddle_point import fill_matrix
from mbdgen.runtime.solvers.scheme_functions import projects
from mbdgen.runtime.system.kernel_calls import (
    evaluate_rates,
    evaluate_residual,
    largest,
    largest_constraint,
)
from mbdgen.runtime.system.run_workspace import NOT_CONVERGED, OK, RunWorkspace, State
from mbdgen.runtime.system.system_data import FloatArray


@internal
def _oppose(work: RunWorkspace, dense: DenseWorkspace, of_rates: bool) -> float:
    """``rhs <- [0; -violation]``; return the largest violation."""
    violation = work.rates if of_rates else work.residual
    for i in range(len(dense.rhs)):
        dense.rhs[i] = 0.0
    for row in work.rows:
        dense.rhs[row] = -violation[row]
    return largest_constraint(work, violation, 0)


@internal
def settled(size: float, before: float, x: FloatArray) -> bool:
    """Whether a violation is round-off of ``x``, or no longer decreases."""
    return size <= ROUND_OFF * (1.0 + largest(x)) or not size < 0.5 * before


def positions_by(apply: Callable[..., int]) -> Callable[..., Any]:
    """Return a compiled ``(change, kernels, work, state, dense) -> status`` that moves ``q``.

    ``apply(change, work, dense)`` solves for an increment; ``dense.K`` is ``[M, -G^T; H, 0]`` at
    the corrected position.
    """

    @internal
    def positions(
        change: Any, kernels: Kernels, work: RunWorkspace, state: State, dense: DenseWorkspace
    ) -> int:
        t, q, v, a, lam = state.clock[0], state.q, state.v, state.a, state.lam
        before = 1e300
        for _ in range(2 * PASSES):
            status = evaluate_residual(kernels, work, t, q, v, a, lam)
            if status == OK:
                status = fill_matrix(kernels, work, state, dense, 0.0, 0.0)
            if status != OK:
                return status
            size = _oppose(work, dense, of_rates=False)
            if settled(size, before, q):
                before = min(size, before)
                break
            before = size
            status = apply(change, work, dense)
            if status != OK:
                return status
            for i in range(len(q)):
                q[i] += dense.x[i]
        return NOT_CONVERGED if before > TOLERATED * (1.0 + largest(q)) else OK

    return cast("Callable[..., Any]", positions)


def velocities_by(apply: Callable[..., int]) -> Callable[..., Any]:
    """Return the same for ``v``, with ``dense.K`` unchanged: at the position of the state."""

    @internal
    def velocities(
        change: Any, kernels: Kernels, work: RunWorkspace, state: State, dense: DenseWorkspace
    ) -> int:
        t, q, v, a, lam = state.clock[0], state.q, state.v, state.a, state.lam
        for _ in range(2):
            status = evaluate_rates(kernels, work, t, q, v, a, lam)
            if status != OK:
                return status
            if _oppose(work, dense, of_rates=True) <= ROUND_OFF * (1.0 + largest(v)):
                break
            status = apply(change, work, dense)
            if status != OK:
                return status
            for i in range(len(v)):
                v[i] += dense.x[i]
        return OK

    return cast("Callable[..., Any]", velocities)


@internal
def _call(change: Any, work: RunWorkspace, dense: DenseWorkspace) -> int:
    status: int = change(work, dense)
    return status


_positions, _velocities = positions_by(_call), velocities_by(_call)


@projects
def correct(
    change: Any, kernels: Kernels, work: RunWorkspace, state: State, dense: DenseWorkspace
) -> int:
    """Add solutions of ``change`` for ``rhs = -phi`` to ``q`` until ``phi = 0``; then to ``v``."""
    status: int = _positions(change, kernels, work, state, dense)
    return status if status != OK else int(_velocities(change, kernels, work, state, dense))
