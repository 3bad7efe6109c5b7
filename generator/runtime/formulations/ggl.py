"""Stabilised index 2 of Gear, Gupta and Leimkuhler: positions and velocities on the constraints.

``M (q_dot - v) = G^T mu``,  ``M a = f + G^T lam``,  ``phi = 0``,  ``phi_dot = 0``

In the exact solution ``mu = 0``. An implicit relation ``q = q_known + c_q a`` gets a correction
``s`` with ``M s = G^T mu``, in the metric of the masses, for quaternions are no vectors of a space
with another one. With ``A = M + c_v C + c_q K`` the iteration alternates between

``[A, -G^T; H, 0] [da; dlam] = -[r; phi_dot/c_v]``  and  ``[M, -G^T; H, 0] [ds; mu] = -[M s; phi]``

each of which disturbs the other by a part of ``|v| h`` only.
"""

from typing import Any

from mbdgen.runtime.abi import Kernels
from mbdgen.runtime.compiled import internal
from mbdgen.runtime.data import FloatArray
from mbdgen.runtime.dense.level import EXACT, ULPS
from mbdgen.runtime.dense.parts import solves
from mbdgen.runtime.dense.room import Dense
from mbdgen.runtime.dense.saddle import fill_matrix
from mbdgen.runtime.equations import evaluate_rates, evaluate_residual, largest
from mbdgen.runtime.formulations.base import Formulation
from mbdgen.runtime.work import NEWTON, NOT_CONVERGED, NOT_FINITE, OK, State, Work


@internal
def _move(
    state: State,
    s: FloatArray,
    q_known: FloatArray,
    v_known: FloatArray,
    c_q: float,
    c_v: float,
) -> None:
    """Put the state where the relation with ``a`` and ``s`` wants it."""
    for i in range(len(state.q)):
        state.q[i] = q_known[i] + c_q * state.a[i] + s[i]
        state.v[i] = v_known[i] + c_v * state.a[i]


@internal
def _set_up_forces(
    kernels: Kernels, work: Work, state: State, dense: Dense, c_q: float, c_v: float
) -> int:
    """Fill ``[A, -G^T; H, 0] x = -[r; phi_dot/c_v]``."""
    t, q, v, a, lam = state.clock[0], state.q, state.v, state.a, state.lam
    status = evaluate_residual(kernels, work, t, q, v, a, lam)
    if status == OK:
        status = evaluate_rates(kernels, work, t, q, v, a, lam)
    if status == OK:
        status = fill_matrix(kernels, work, state, dense, c_q, c_v)
    for i in range(len(dense.rhs)):
        dense.rhs[i] = -work.residual[i]
    for row in work.rows:
        dense.rhs[row] = -work.rates[row] / c_v
    return status


@internal
def _set_up_correction(
    kernels: Kernels, work: Work, state: State, dense: Dense, s: FloatArray
) -> int:
    """Fill ``[M, -G^T; H, 0] x = -[M s; phi]``."""
    t, q, v, a, lam, n_q = state.clock[0], state.q, state.v, state.a, state.lam, len(s)
    status = evaluate_residual(kernels, work, t, q, v, a, lam)
    if status == OK:
        status = fill_matrix(kernels, work, state, dense, 0.0, 0.0)
    for i in range(n_q):
        dense.rhs[i] = 0.0
        for j in range(n_q):
            dense.rhs[i] -= dense.K[i, j] * s[j]
    for row in work.rows:
        dense.rhs[row] = -work.residual[row]
    return status


@solves
def solve(
    eliminate: Any,
    complete: Any,
    kernels: Kernels,
    work: Work,
    state: State,
    dense: Dense,
    q_known: FloatArray,
    v_known: FloatArray,
    t: float,
    c_q: float,
    c_v: float,
    tolerance: float,
    limit: int,
) -> int:
    """Alternate until both corrections vanish; see `mbdgen.runtime.dense.parts`."""
    n_q, s = len(state.q), dense.line[7, : len(state.q)]
    state.clock[0] = t
    for i in range(n_q):
        s[i] = 0.0
    before = 1e300
    for _ in range(limit):
        _move(state, s, q_known, v_known, c_q, c_v)
        status = _set_up_forces(kernels, work, state, dense, c_q, c_v)
        if status == OK and not largest(dense.rhs) <= 1e300:
            status = NOT_FINITE
        if status == OK:
            status = eliminate(work, dense)
        if status != OK:
            return status
        work.counters[NEWTON] += 1
        size = 0.0
        for i in range(n_q):
            state.a[i] += dense.x[i]
            size = max(size, c_q * abs(dense.x[i]))
        for k in range(len(state.lam)):
            state.lam[k] += dense.x[n_q + k]
        _move(state, s, q_known, v_known, c_q, c_v)
        status = _set_up_correction(kernels, work, state, dense, s)
        if status == OK:
            status = eliminate(work, dense)
        if status != OK:
            return status
        for i in range(n_q):
            s[i] += dense.x[i]
            size = max(size, abs(dense.x[i]))
        scale = 1.0 + largest(state.q)
        stalled = size <= tolerance * scale and size > 0.5 * before
        if size <= max(EXACT * tolerance, ULPS) * scale or stalled:
            _move(state, s, q_known, v_known, c_q, c_v)
            return OK
        before = size
    return NOT_CONVERGED


FORMULATION = Formulation(
    name="ggl",
    text="stabilised index 2: positions and velocities fulfil the constraints",
    source="C. W. Gear, B. Leimkuhler, G. K. Gupta: Automatic integration of Euler-Lagrange "
    "equations with constraints, J. Comput. Appl. Math. 12-13 (1985) 77-90.",
    weights=lambda values: (0.0, 1.0, 0.0, 0.0),
    slope=None,
    solve=solve,
    levels=("position", "velocity"),
)
