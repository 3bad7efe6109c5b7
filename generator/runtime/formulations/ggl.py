"""GGL formulation (stabilised index 2) of Gear, Gupta and Leimkuhler.

``M (q_dot - v) = G^T mu``,  ``M a = f + G^T lam``,  ``phi = 0``,  ``phi_dot = 0``

In the exact solution ``mu = 0``. An implicit relation ``q = q_known + c_q a`` gets a correction
``s`` with ``M s = G^T mu``, in the mass metric, as quaternions have no other natural one. With ``A
= M + c_v C + c_q K`` the iteration alternates between

``[A, -G^T; H, 0] [da; dlam] = -[r; phi_dot/c_v]``  and  ``[M, -G^T; H, 0] [ds; mu] = -[M s; phi]``

each of which perturbs the other by a fraction of ``|v| h`` only. Off the position constraints,
redundant rows require different velocities: the elimination keeps the rank of the start of the
step, otherwise the iteration would not converge.
"""

from typing import Any

from mbdgen.runtime.formulations.base import Formulation
from mbdgen.runtime.program.compiled_functions import internal
from mbdgen.runtime.program.kernel_abi import Kernels
from mbdgen.runtime.solvers.constraint_combination import set_up
from mbdgen.runtime.solvers.dense_workspace import DenseWorkspace
from mbdgen.runtime.solvers.newton_convergence import FIRST, GO_ON, verdict
from mbdgen.runtime.solvers.rank_revealing_solve import by_rank
from mbdgen.runtime.solvers.saddle_point import fill_matrix
from mbdgen.runtime.solvers.scheme_functions import solves
from mbdgen.runtime.system.kernel_calls import add_change, evaluate_residual
from mbdgen.runtime.system.run_workspace import NOT_CONVERGED, OK, RunWorkspace, State
from mbdgen.runtime.system.system_data import FloatArray


@internal
def _move(
    state: State,
    s: FloatArray,
    q_known: FloatArray,
    v_known: FloatArray,
    c_q: float,
    c_v: float,
) -> None:
    """Set the state according to the relation with ``a`` and ``s``."""
    for i in range(len(state.q)):
        state.q[i] = q_known[i] + c_q * state.a[i] + s[i]
        state.v[i] = v_known[i] + c_v * state.a[i]


@internal
def _set_up_correction(
    kernels: Kernels, work: RunWorkspace, state: State, dense: DenseWorkspace, s: FloatArray
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


@internal
def _improve(
    kernels: Kernels,
    work: RunWorkspace,
    state: State,
    dense: DenseWorkspace,
    s: FloatArray,
    q_known: FloatArray,
    v_known: FloatArray,
    c_q: float,
    c_v: float,
    eliminate: Any,
) -> tuple[int, float]:
    """Improve ``a`` and ``lam``, then ``s``."""
    _move(state, s, q_known, v_known, c_q, c_v)
    status: int = set_up(kernels, work, state, dense, dense.numbers, c_q, c_v)
    if status == OK:
        status = eliminate(work, dense)
    if status != OK:
        return status, 0.0
    size = c_q * add_change(state.a, state.lam, dense.x)
    _move(state, s, q_known, v_known, c_q, c_v)
    status = _set_up_correction(kernels, work, state, dense, s)
    if status == OK:
        status = eliminate(work, dense)
    for i in range(len(s)):
        s[i] += dense.x[i]
        size = max(size, abs(dense.x[i]))
    return status, size


@solves
def solve(
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
    """Alternate until both corrections vanish; see `mbdgen.runtime.solvers.scheme_functions`."""
    s = dense.line[7, : len(state.q)]
    state.clock[0] = t
    for i in range(len(s)):
        s[i] = 0.0
    before = FIRST
    for _ in range(limit):
        status, size = _improve(
            kernels, work, state, dense, s, q_known, v_known, c_q, c_v, eliminate
        )
        if status == OK:
            status = verdict(work.counters, state.q, size, before, tolerance)
        if status == OK:
            _move(state, s, q_known, v_known, c_q, c_v)
        if status != GO_ON:
            return status
        before = size
    return NOT_CONVERGED


FORMULATION = Formulation(
    name="ggl",
    text="stabilised index 2: positions and velocities fulfil the constraints",
    source="C. W. Gear, B. Leimkuhler, G. K. Gupta: Automatic integration of Euler-Lagrange "
    "equations with constraints, J. Comput. Appl. Math. 12-13 (1985) 77-90.",
    weights=lambda values: (0.0, 1.0, 0.0, 0.0),
    eliminate=by_rank,
    slope=None,
    solve=solve,
    levels=("position", "velocity"),
)
