"""Collocation methods for any formulation: Newmark's formula to an instant beyond the step.

With ``T = theta h`` the equations of motion are satisfied at ``t + T``, where

``q = q_n + T v_n + T^2 ((1/2 - beta) a_n + beta a)``,  ``v = v_n + T ((1 - gamma) a_n + gamma a)``

Accelerations are linear in between, ``a+ = a_n + (a - a_n)/theta``, and the same formula with ``h``
and ``a+`` gives the end of the step; variables ``z`` of a formulation are treated as ``v``.
``theta = 1`` is Newmark's method.

For other ``theta`` the equations of motion are not satisfied at the end with ``a+``, and projected
ends get other accelerations, which do satisfy them. The recursion must nevertheless use its own,
because it is unstable with strong damping otherwise: the difference is kept in ``work.kept[0]``.
In the constraint directions, however, its own are unstable as soon as positions and velocities
there are set to zero: after such a correction only the part of the difference ``d`` that is
compatible with the constraints, ``H d = 0``, is kept.

`collocation_step` is long because it is one formula.
"""

from mbdgen.runtime.program.compiled_functions import internal, separate
from mbdgen.runtime.program.kernel_abi import KERNELS, Kernels
from mbdgen.runtime.solvers.dense_workspace import COMPLETES, DENSE, PROJECTS, DenseWorkspace
from mbdgen.runtime.solvers.saddle_point import eliminate_by_lu, fill_matrix
from mbdgen.runtime.solvers.scheme_functions import PARTS, SchemeFunctions, solve_at
from mbdgen.runtime.solvers.step_finalisation import end_implicit
from mbdgen.runtime.steps.newmark_family import newmark_known
from mbdgen.runtime.system.run_workspace import OK, STATE, WORK, RunWorkspace, State
from mbdgen.runtime.system.system_data import FloatArray
from mbdgen.subset import types

_REAL = types.float64


@internal
def _allowed(
    kernels: Kernels, work: RunWorkspace, state: State, dense: DenseWorkspace, d: FloatArray
) -> int:
    """Apply the smallest change to ``d`` such that ``H d = 0``, using ``[M, -G^T; H, 0]``."""
    status = fill_matrix(kernels, work, state, dense, 0.0, 0.0)
    if status != OK:
        return status
    for i in range(len(dense.rhs)):
        dense.rhs[i] = 0.0
    for row in work.rows:
        for j in range(len(d)):
            dense.rhs[row] -= dense.K[row, j] * d[j]
    status = eliminate_by_lu(work, dense)
    for i in range(len(d)):
        d[i] += dense.x[i]
    return status


@separate(types.int64(KERNELS, WORK, STATE, *(_REAL,) * 5, types.int64, PARTS, DENSE))
def collocation_step(
    kernels: Kernels,
    work: RunWorkspace,
    state: State,
    h: float,
    theta: float,
    beta: float,
    gamma: float,
    tolerance: float,
    limit: int,
    parts: SchemeFunctions,
    dense: DenseWorkspace,
) -> int:
    """Advance by one step."""
    a, lam, t, far = state.a, state.lam, state.clock[0], theta * h
    q_known, v_known, q_end, v_end = (
        work.scratch[0],
        work.scratch[1],
        work.scratch[2],
        work.scratch[3],
    )
    if theta != 1.0:
        for i in range(len(a)):
            a[i] += work.kept[0, i]
    a_old, lam_old, z_old, rate_old = a.copy(), lam.copy(), dense.z.copy(), dense.z_dot.copy()
    newmark_known(state, h, beta, gamma, q_end, v_end)
    newmark_known(state, far, beta, gamma, q_known, v_known)
    for k in range(len(z_old)):
        dense.z[k] += far * (1.0 - gamma) * rate_old[k]
    c_q, c_v = beta * far * far, gamma * far
    status = solve_at(kernels, work, state, dense, parts, t + far, c_q, c_v, tolerance, limit)
    if status != OK:
        return status
    if theta == 1.0:
        return end_implicit(kernels, work, state, dense, parts)
    for k in range(len(lam)):
        lam[k] = lam_old[k] + (lam[k] - lam_old[k]) / theta
    for k in range(len(z_old)):
        rate = rate_old[k] + (dense.z_dot[k] - rate_old[k]) / theta
        dense.z[k] = z_old[k] + h * ((1.0 - gamma) * rate_old[k] + gamma * rate)
        dense.z_dot[k] = rate
    for i in range(len(a)):
        a[i] = a_old[i] + (a[i] - a_old[i]) / theta
        state.q[i] = q_end[i] + beta * h * h * a[i]
        state.v[i] = v_end[i] + gamma * h * a[i]
        a_old[i] = a[i]
    state.clock[0] = t + h
    status = end_implicit(kernels, work, state, dense, parts)
    if status == OK:
        for i in range(len(a)):
            a_old[i] -= a[i]
        if dense.sizes[PROJECTS] + dense.sizes[COMPLETES] != 0:
            status = _allowed(kernels, work, state, dense, a_old)
    if status == OK:
        for i in range(len(a)):
            work.kept[0, i] = a_old[i]
    return status
