"""Constraint levels: formulations that impose position, velocity or acceleration constraints.

``M a = f + G^T lam``,  ``w_2 phi_ddot + w_1 phi_dot + w_0 phi + d lam = 0``

or ``d lam_dot`` instead of ``d lam`` where a formulation integrates its multipliers. Weights
``(w_0, w_1, w_2)`` and compliance ``d`` are the first of ``dense.numbers``: (1, 0, 0) is index 3,
(0, 1, 0) index 2, (0, 0, 1) index 1, others are stabilised (Baumgarte). The linear equations are
solved by the formulation's ``eliminate``.
"""

from typing import Any

import numpy as np

from mbdgen.runtime.program.compiled_functions import internal
from mbdgen.runtime.program.kernel_abi import Kernels
from mbdgen.runtime.solvers.constraint_combination import of_unknowns, set_up
from mbdgen.runtime.solvers.dense_workspace import COMPLIANCE, OF_PHI_DDOT, DenseWorkspace
from mbdgen.runtime.solvers.newton_convergence import FIRST, GO_ON, verdict
from mbdgen.runtime.solvers.scheme_functions import slopes, solves
from mbdgen.runtime.system.kernel_calls import add_change, largest
from mbdgen.runtime.system.run_workspace import NOT_CONVERGED, NOT_FINITE, OK, RunWorkspace, State
from mbdgen.runtime.system.system_data import FloatArray

SETTLED, UNSETTLED = 1e-13, 1e-8
"""Relative change of accelerations in the fixed-point iteration for reaction-dependent forces:
converged below the first, failed above the second.
"""


@internal
def take_positions(state: State, dense: DenseWorkspace, y: FloatArray) -> None:
    """``(q, v, z) <- y``."""
    n_q = len(state.q)
    for i in range(n_q):
        state.q[i], state.v[i] = y[i], y[n_q + i]
    for i in range(len(dense.z)):
        dense.z[i] = y[2 * n_q + i]


@internal
def find_accelerations(
    eliminate: Any,
    kernels: Kernels,
    work: RunWorkspace,
    state: State,
    dense: DenseWorkspace,
    y_dot: FloatArray,
) -> int:
    """Solve the imposed equations at ``q`` and ``v`` of the state; ``y_dot <- (v, a)``."""
    v, a, lam, n_q = state.v, state.a, state.lam, len(state.q)
    for i in range(n_q):
        a[i] = 0.0
    for k in range(len(lam)):
        lam[k] = 0.0
    status, size, before = OK, 0.0, np.inf
    for count in range(work.passes[0]):
        status = set_up(kernels, work, state, dense, dense.numbers, 0.0, 0.0)
        for k in range(len(lam)):
            dense.K[n_q + k, n_q + k] = dense.numbers[COMPLIANCE] / dense.numbers[OF_PHI_DDOT]
        if status == OK:
            status = eliminate(work, dense)
        if status != OK:
            break
        size = add_change(state.a, state.lam, dense.x) / (1.0 + largest(a))
        if not max(largest(a), largest(lam)) <= 1e300:
            status = NOT_FINITE
        if count > 0:  # reactions are unknown in the first pass
            if size <= SETTLED or not size < before:
                break
            before = size
    if work.passes[0] > 1 and status == OK and size > UNSETTLED:
        status = NOT_CONVERGED
    for i in range(n_q):
        y_dot[i], y_dot[n_q + i] = v[i], a[i]
    return status


@slopes
def level_slope(
    eliminate: Any,
    complete: Any,
    kernels: Kernels,
    work: RunWorkspace,
    state: State,
    dense: DenseWorkspace,
    t: float,
    y: FloatArray,
    y_dot: FloatArray,
) -> int:
    """``y_dot = (v, a)``; see `mbdgen.runtime.solvers.scheme_functions`."""
    state.clock[0] = t
    take_positions(state, dense, y)
    status: int = complete(kernels, work, state, dense)
    if status == OK:
        status = find_accelerations(eliminate, kernels, work, state, dense, y_dot)
    return status


@internal
def _go_to(state: State, q_known: FloatArray, v_known: FloatArray, c_q: float, c_v: float) -> None:
    """Set ``q`` and ``v`` of the state from its accelerations."""
    for i in range(len(state.q)):
        state.q[i] = q_known[i] + c_q * state.a[i]
        state.v[i] = v_known[i] + c_v * state.a[i]


@internal
def _add_compliance(
    work: RunWorkspace, state: State, dense: DenseWorkspace, c_q: float, c_v: float
) -> None:
    """Add ``d lam``, or ``d lam_dot`` with ``lam = z + c_v lam_dot``, to the multiplier rows."""
    n_q, integrated = len(state.q), len(dense.z) > 0
    whole = dense.numbers[COMPLIANCE] / (c_v if integrated else 1.0)
    for k in range(len(state.lam)):
        compliance = whole / of_unknowns(work, dense.numbers, n_q + k, c_q, c_v)
        dense.K[n_q + k, n_q + k] = compliance
        dense.rhs[n_q + k] -= compliance * (state.lam[k] - (dense.z[k] if integrated else 0.0))


@internal
def _take_multipliers(state: State, dense: DenseWorkspace, c_v: float) -> None:
    """``z <- lam`` at the end of a relation in which multipliers are integrated."""
    for k in range(len(dense.z)):
        dense.z_dot[k] = (state.lam[k] - dense.z[k]) / c_v
        dense.z[k] = state.lam[k]


@solves
def level_solve(
    eliminate: Any,
    complete: Any,
    kernels: Kernels,
    work: RunWorkspace,
    state: State,
    dense: DenseWorkspace,
    q_known: FloatArray,
    v_known: FloatArray,
    t: float,
    c_q: float,
    c_v: float,
    tolerance: float,
    limit: int,
) -> int:
    """Newton's method on the imposed equations; see `mbdgen.runtime.solvers.scheme_functions`."""
    state.clock[0] = t
    before = FIRST
    for _ in range(limit):
        _go_to(state, q_known, v_known, c_q, c_v)
        status = set_up(kernels, work, state, dense, dense.numbers, c_q, c_v)
        if status == OK:
            _add_compliance(work, state, dense, c_q, c_v)
            status = eliminate(work, dense)
        if status != OK:
            return status
        size = c_q * add_change(state.a, state.lam, dense.x)
        status = verdict(work.counters, state.q, size, before, tolerance)
        if status == OK:
            _go_to(state, q_known, v_known, c_q, c_v)
            _take_multipliers(state, dense, c_v)
        if status != GO_ON:
            return status
        before = size
    return NOT_CONVERGED
