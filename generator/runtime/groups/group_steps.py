r"""Fixed time steps with structural groups: trapezoidal rule and classical Runge-Kutta method.

The trapezoidal rule is iterated as a predictor and correctors:

.. math::
    \dot q_1 = \dot q + \tfrac h2 (\ddot q + \ddot q_1), \qquad
    q_1 = q + \tfrac h2 (\dot q + \dot q_1)

until neither changes by more than a tolerance. All coordinates are predicted; with matrix R the
inputs are integrated, and the prediction of the others is only an initial guess.

The work of drivers and loads is integrated by quadrature, see
`mbdgen.runtime.monitors.work_quadrature`. The power of a driver is that of its reaction, which
groups do not compute: then the equations of the whole mechanism are solved once, at the end of a
step.
"""

import numpy as np

from mbdgen.runtime.groups.global_solver import WHOLE, GlobalSolver
from mbdgen.runtime.groups.group_dynamics import slope
from mbdgen.runtime.groups.group_tables import GROUPS, Groups
from mbdgen.runtime.groups.group_workspace import ROOM, GroupWorkspace
from mbdgen.runtime.linalg.factor_storage import FACTORS, Factors
from mbdgen.runtime.monitors.angle_unwrapping import count_turns
from mbdgen.runtime.monitors.work_quadrature import compare, integrate_power
from mbdgen.runtime.program.compiled_functions import internal, separate
from mbdgen.runtime.program.kernel_abi import KERNELS, Kernels
from mbdgen.runtime.solvers.constraint_projections import find_accelerations
from mbdgen.runtime.system.kernel_calls import evaluate_energies, factorise_mass
from mbdgen.runtime.system.run_workspace import (
    INT_ARRAY,
    NOT_CONVERGED,
    NOT_FINITE,
    OK,
    REAL_ARRAY,
    STATE,
    WORK,
    RunWorkspace,
    State,
)
from mbdgen.runtime.system.system_data import FloatArray, IntArray
from mbdgen.subset import types

NO_POWER, LOADS, DRIVERS = 0, 1, 2
"""Integrated power: none, that of loads, or that of drivers, too."""
TRAPEZOIDAL, RK4 = 0, 1
ROUND_OFF = 1e-7
"""Relative velocity change below which growth is round-off, amplified by penalties."""

_REAL = types.float64


@internal
def _trapezoidal(
    kernels: Kernels,
    work: RunWorkspace,
    groups: Groups,
    entire: GlobalSolver,
    factors: Factors,
    room: GroupWorkspace,
    integrated: IntArray,
    t: float,
    h: float,
    q: FloatArray,
    v: FloatArray,
    a: FloatArray,
    tolerance: float,
    limit: int,
    counters: IntArray,
) -> int:
    """Advance by one step."""
    n = len(q)
    q1, v1, a1 = np.empty(n), np.empty(n), np.empty(n)
    for i in range(n):
        q1[i] = q[i] + h * v[i] + 0.5 * h * h * a[i]
        v1[i] = v[i] + h * a[i]
    before = np.inf
    for _ in range(limit):
        status = slope(kernels, work, groups, entire, factors, room, t + h, q1, v1, a1)
        if status != OK:
            return status
        counters[0] += 1
        error, size = 0.0, 1.0
        for i in integrated:
            new_v = v[i] + 0.5 * h * (a[i] + a1[i])
            new_q = q[i] + 0.5 * h * (v[i] + new_v)
            error = max(error, abs(new_q - q1[i]), abs(new_v - v1[i]))
            size = max(size, abs(new_v))
            q1[i], v1[i] = new_q, new_v
            if not abs(new_v) <= 1e100:
                return NOT_FINITE
        if error < tolerance or (error >= before and error < ROUND_OFF * size):
            for i in range(n):
                q[i], v[i], a[i] = q1[i], v1[i], a1[i]
            return OK
        before = error
    return NOT_CONVERGED


@internal
def _rk4(
    kernels: Kernels,
    work: RunWorkspace,
    groups: Groups,
    entire: GlobalSolver,
    factors: Factors,
    room: GroupWorkspace,
    t: float,
    h: float,
    q: FloatArray,
    v: FloatArray,
    a: FloatArray,
    counters: IntArray,
) -> int:
    """Advance by one step; ``a`` is that of its beginning, and then that of its end."""
    n = len(q)
    q1, v1, a1 = np.empty(n), np.empty(n), np.empty(n)
    dq, dv = np.zeros(n), np.zeros(n)
    for i in range(n):
        v1[i], a1[i] = v[i], a[i]
    for stage in range(4):
        weight = 1.0 / 6.0 if stage in (0, 3) else 1.0 / 3.0
        part = h if stage == 2 else 0.5 * h
        for i in range(n):
            dq[i] += weight * h * v1[i]
            dv[i] += weight * h * a1[i]
            q1[i], v1[i] = q[i] + part * v1[i], v[i] + part * a1[i]
        if stage == 3:
            break
        status = slope(kernels, work, groups, entire, factors, room, t + part, q1, v1, a1)
        if status != OK:
            return status
        counters[0] += 1
    for i in range(n):
        q1[i], v1[i] = q[i] + dq[i], v[i] + dv[i]
    status = slope(kernels, work, groups, entire, factors, room, t + h, q1, v1, a1)
    if status != OK:
        return status
    counters[0] += 1
    for i in range(n):
        q[i], v[i], a[i] = q1[i], v1[i], a1[i]
        if not abs(a1[i]) <= 1e100:
            return NOT_FINITE
    return OK


@separate(types.int64(KERNELS, WORK, FACTORS, STATE, types.int64))
def find_energies(
    kernels: Kernels, work: RunWorkspace, mass: Factors, at: State, powered: int
) -> int:
    """Leave energies and power at a state in ``work``; accelerations of ``at`` may change."""
    t = at.clock[0]
    if powered == DRIVERS:
        status = factorise_mass(kernels, work, mass, at, t)
        if status == OK:
            status = find_accelerations(kernels, work, mass, at)
        if status != OK:
            return status
    return evaluate_energies(kernels, work, t, at.q, at.v, at.a, at.lam)


@separate(
    types.int64(
        *(KERNELS, WORK, GROUPS, WHOLE, FACTORS, ROOM, INT_ARRAY),
        *(_REAL, _REAL, types.int64, REAL_ARRAY, REAL_ARRAY, REAL_ARRAY),
        *(types.int64, _REAL, types.int64, INT_ARRAY),
        *(FACTORS, STATE, REAL_ARRAY, types.int64),
    ),
)
def advance(
    kernels: Kernels,
    work: RunWorkspace,
    groups: Groups,
    entire: GlobalSolver,
    factors: Factors,
    room: GroupWorkspace,
    integrated: IntArray,
    t: float,
    h: float,
    steps: int,
    q: FloatArray,
    v: FloatArray,
    a: FloatArray,
    method: int,
    tolerance: float,
    limit: int,
    counters: IntArray,
    mass: Factors,
    at: State,
    numbers: FloatArray,
    powered: int,
) -> int:
    """Make steps from a state with its accelerations; a failed step restores the state.

    ``counters`` are evaluations of accelerations and steps made; ``at`` is workspace.
    """
    counting = len(work.turns) > 0
    for _ in range(steps):
        if counting or powered:
            before = q.copy(), v.copy(), a.copy()
        now = t + counters[1] * h
        if method == TRAPEZOIDAL:
            status = _trapezoidal(
                *(kernels, work, groups, entire, factors, room, integrated, now, h, q, v, a),
                *(tolerance, limit, counters),
            )
        else:
            status = _rk4(kernels, work, groups, entire, factors, room, now, h, q, v, a, counters)
        if status == OK and powered:
            at.clock[0] = now + h
            at.q[:], at.v[:], at.a[:] = q, v, a
            status = find_energies(kernels, work, mass, at, powered)
            if status != OK:
                q[:], v[:], a[:] = before
        if status == OK and counting:
            status = count_turns(kernels, work, now + h, q, v, h)
            if status != OK:
                q[:], v[:], a[:] = before
        if status != OK:
            return status
        if powered:
            integrate_power(numbers, h, work.energies[2])
            compare(numbers, work.energies[0], work.energies[1])
        counters[1] += 1
    return OK
