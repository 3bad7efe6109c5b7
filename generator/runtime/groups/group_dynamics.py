r"""Accelerations of a mechanism for integrators: matrix R or penalties, by groups or as a whole.

Matrix R: :math:`R^T M R\,\ddot z = R^T (f - M S)` with :math:`\dot q = R \dot z + v_t` and
:math:`S` the accelerations for :math:`\ddot z = 0`.

Penalty: :math:`(M + \alpha\,\Phi_q^T\Phi_q)\,\ddot q = f - \alpha\,\Phi_q^T
(\dot\Phi_q\dot q + 2\xi\omega\,\dot\Phi + \omega^2\Phi)`; norm equations of unit vectors remain
separate.
"""

from mbdgen.runtime.groups.global_solver import WHOLE, GlobalSolver
from mbdgen.runtime.groups.global_solver import positions as positions_of_whole
from mbdgen.runtime.groups.global_solver import reach as reach_of_whole
from mbdgen.runtime.groups.group_kinematics import positions as positions_of_groups
from mbdgen.runtime.groups.group_kinematics import reach as reach_of_groups
from mbdgen.runtime.groups.group_penalties import add_groups, follow
from mbdgen.runtime.groups.group_tables import GROUPS, Groups
from mbdgen.runtime.groups.group_workspace import (
    ALPHA,
    BY_GROUPS,
    CONSTANT_MASS,
    EQUATIONS,
    LIMIT,
    MATRIX_R,
    ROOM,
    TOLERANCE,
    W_0,
    W_1,
    WAY,
    GroupWorkspace,
)
from mbdgen.runtime.linalg.dense_lu import lu, lu_solve
from mbdgen.runtime.linalg.factor_storage import FACTORS, Factors
from mbdgen.runtime.linalg.linear_solver import refine
from mbdgen.runtime.linalg.lu_factorisation import factorise, solve
from mbdgen.runtime.program.compiled_functions import internal, separate
from mbdgen.runtime.program.kernel_abi import KERNELS, Kernels
from mbdgen.runtime.system.kernel_calls import call, evaluate_rates, evaluate_residual
from mbdgen.runtime.system.run_workspace import (
    KERNEL_FAILED,
    OK,
    REAL_ARRAY,
    REPIVOT_TANGENT,
    WORK,
    RunWorkspace,
)
from mbdgen.runtime.system.system_data import FloatArray, IntArray
from mbdgen.subset import types

_REAL = types.float64


@internal
def _multipliers(work: RunWorkspace, q: FloatArray) -> int:
    """Return the number of multipliers."""
    return len(work.residual) - len(q)


@internal
def _displace(units: IntArray, q: FloatArray, R: FloatArray, z: int, u: FloatArray) -> None:
    """``u <-`` column ``z`` of ``R`` in virtual displacements: rotations in body axes."""
    for i in range(len(q)):
        u[i] = R[i, z]
    for k in range(units.shape[0]):
        f = units[k, 0]
        if units[k, 1] == 2:
            u[f], u[f + 1] = q[f] * R[f + 1, z] - q[f + 1] * R[f, z], 0.0
            continue
        s, x, y, w = q[f], q[f + 1], q[f + 2], q[f + 3]
        d0, d1, d2, d3 = R[f, z], R[f + 1, z], R[f + 2, z], R[f + 3, z]
        u[f] = 2.0 * (-x * d0 + s * d1 + w * d2 - y * d3)
        u[f + 1] = 2.0 * (-y * d0 - w * d1 + s * d2 + x * d3)
        u[f + 2] = 2.0 * (-w * d0 + y * d1 - x * d2 + s * d3)
        u[f + 3] = 0.0


@separate(
    types.int64(
        *(KERNELS, WORK, GROUPS, WHOLE, FACTORS, ROOM),
        *(_REAL, REAL_ARRAY, REAL_ARRAY, REAL_ARRAY),
    ),
)
def by_matrix_r(
    kernels: Kernels,
    work: RunWorkspace,
    groups: Groups,
    entire: GlobalSolver,
    factors: Factors,
    room: GroupWorkspace,
    t: float,
    q: FloatArray,
    v: FloatArray,
    a: FloatArray,
) -> int:
    """Complete ``q`` and ``v`` from the inputs, and solve for ``a`` by matrix R."""
    R, g = room.R, room.R.shape[1]
    tolerance, limit = room.weights[TOLERANCE], int(room.weights[LIMIT])
    for z in range(g):
        a[groups.inputs[z]] = 0.0
    if room.chosen[WAY] == BY_GROUPS:
        status = positions_of_groups(groups, t, q, room.x, tolerance, limit)
        if status == OK:
            status = reach_of_groups(groups, t, q, v, a, R)
    else:
        status = positions_of_whole(kernels, work, entire, factors, t, q, tolerance, limit)
        if status == OK:
            status = reach_of_whole(kernels, work, entire, factors, t, q, v, a, R)
    if status != OK:
        return status
    lam = room.none[: _multipliers(work, q)]
    if evaluate_residual(kernels, work, t, q, v, a, lam) != OK:
        return KERNEL_FAILED
    for i in range(len(q)):
        room.base[i] = work.residual[i]
    for z in range(g):  # M R from two residuals: they are linear in accelerations
        for i in range(len(q)):
            room.x[i] = a[i] + R[i, z]
        if evaluate_residual(kernels, work, t, q, v, room.x, lam) != OK:
            return KERNEL_FAILED
        for i in room.dynamics:
            room.MR[z, i] = work.residual[i] - room.base[i]
    for k in range(g):
        _displace(work.unit_blocks, q, R, k, room.x)
        total = 0.0
        for i in room.dynamics:
            total -= room.x[i] * room.base[i]
        room.rhs[k] = total
        for z in range(g):
            total = 0.0
            for i in room.dynamics:
                total += room.x[i] * room.MR[z, i]
            room.small[k, z] = total
    status = lu(room.small, room.order)
    if status != OK:
        return status
    lu_solve(room.small, room.order, room.rhs[:g], room.x[:g])
    for z in range(g):
        room.rhs[z] = room.x[z]
    for i in range(len(q)):
        for z in range(g):
            a[i] += R[i, z] * room.rhs[z]
    return OK


@internal
def _add_whole(
    kernels: Kernels,
    work: RunWorkspace,
    room: GroupWorkspace,
    t: float,
    q: FloatArray,
    v: FloatArray,
) -> int:
    """Add the constraints as penalty terms from the Jacobian of the mechanism."""
    lam = room.none[: _multipliers(work, q)]
    if evaluate_rates(kernels, work, t, q, v, room.none[: len(q)], lam) != OK:
        return KERNEL_FAILED
    alpha, w_1, w_0, n = (
        room.weights[ALPHA],
        room.weights[W_1],
        room.weights[W_0],
        len(work.residual),
    )
    for e in range(len(room.product_h)):
        g, h = room.product_g[e], work.values[room.product_h[e]]
        room.values[room.product_to[e]] += h if g < 0 else -alpha * work.values[g] * h
    for e in range(len(room.pull_row)):
        g, r = room.pull_g[e], room.pull_row[e]
        violation = work.rates[n + r] + w_1 * work.rates[r] + w_0 * work.residual[r]
        room.rhs[room.pull_to[e]] -= violation if g < 0 else -alpha * work.values[g] * violation
    return OK


@separate(
    types.int64(
        *(KERNELS, WORK, GROUPS, FACTORS, ROOM, _REAL, REAL_ARRAY, REAL_ARRAY, REAL_ARRAY),
    ),
)
def by_penalties(
    kernels: Kernels,
    work: RunWorkspace,
    groups: Groups,
    factors: Factors,
    room: GroupWorkspace,
    t: float,
    q: FloatArray,
    v: FloatArray,
    a: FloatArray,
) -> int:
    """Solve the penalty equations for ``a`` at any ``q`` and ``v``."""
    n_q, by_groups = len(q), room.chosen[WAY] == BY_GROUPS
    lam, zero = room.none[: _multipliers(work, q)], room.none[:n_q]
    if not (by_groups and room.chosen[CONSTANT_MASS] == 1):
        work.weights[0], work.weights[1], work.weights[2] = 0.0, 0.0, 1.0
        w, p, m = work.weights, work.p, work.m
        if call(kernels.mass, t, q, v, zero, lam, w, p, m, work.values) != OK:
            return KERNEL_FAILED
        for e in range(len(room.mass_from)):
            room.start[room.mass_to[e]] = work.values[room.mass_from[e]]
    for e in range(len(room.values)):
        room.values[e] = room.start[e]
    if evaluate_residual(kernels, work, t, q, v, zero, lam) != OK:
        return KERNEL_FAILED
    for i in range(n_q):
        room.rhs[i] = 0.0
    for i in room.dynamics:
        room.rhs[i] = -work.residual[i]
    if by_groups:
        status = add_groups(groups, room, t, q, v)
    else:
        status = _add_whole(kernels, work, room, t, q, v)
    if status != OK:
        return status
    for e in range(len(room.rest_from)):
        room.rest_values[e] = room.values[room.rest_from[e]]
    for j in range(len(room.rest)):
        room.rest_rhs[j] = room.rhs[room.rest[j]]
    if factorise(factors, room.rest_values) != OK:
        return REPIVOT_TANGENT
    solve(factors, room.rest_rhs, room.rest_x)
    refine(factors, room.indptr, room.indices, room.rest_values, room.rest_rhs, room.rest_x)
    for j in range(len(room.rest)):
        a[room.rest[j]] = room.rest_x[j]
    if by_groups:
        follow(groups, a)
    return OK


@internal
def slope(
    kernels: Kernels,
    work: RunWorkspace,
    groups: Groups,
    entire: GlobalSolver,
    factors: Factors,
    room: GroupWorkspace,
    t: float,
    q: FloatArray,
    v: FloatArray,
    a: FloatArray,
) -> int:
    """Compute accelerations by the chosen formulation."""
    if room.chosen[EQUATIONS] == MATRIX_R:
        return int(by_matrix_r(kernels, work, groups, entire, factors, room, t, q, v, a))
    return int(by_penalties(kernels, work, groups, factors, room, t, q, v, a))
