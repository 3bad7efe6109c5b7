r"""Kinematics (positions, velocities, accelerations) group by group, by Newton's method.

For each group in order, with :math:`h` known from inputs and earlier groups

.. math::
    \Phi_\varphi \Delta\varphi = -\Phi, \qquad
    \Phi_\varphi \dot\varphi = -\Phi_h \dot h - \Phi_t, \qquad
    \Phi_\varphi R_{\varphi h} = -\Phi_h, \quad R_{\varphi z} = R_{\varphi h} R_{hz}, \qquad
    \Phi_\varphi \ddot\varphi = -\Phi_h \ddot h - \frac{d}{dt}(\Phi_q)\,\dot q - \ldots
"""

import numpy as np

from mbdgen.runtime.groups.group_tables import (
    COUNT,
    DEPENDENT_AT,
    FAILED_GROUP,
    FAILED_TYPE,
    GROUPS,
    ITERATIONS,
    KNOWN_AT,
    MOTION,
    N_DEPENDENT,
    N_KNOWN,
    POSITION,
    REACH,
    Groups,
)
from mbdgen.runtime.groups.pivoted_fallback import PHI, PHI_DDOT, PHI_DOT, call_group, solve_block
from mbdgen.runtime.program.compiled_functions import internal, separate
from mbdgen.runtime.system.run_workspace import (
    INT_ARRAY,
    NOT_CONVERGED,
    NOT_FINITE,
    OK,
    REAL_ARRAY,
    REAL_TABLE,
)
from mbdgen.runtime.system.system_data import FloatArray, IntArray
from mbdgen.subset import types

_REAL = types.float64


@internal
def _failed(groups: Groups, k: int, i: int, status: int) -> int:
    groups.counters[FAILED_TYPE], groups.counters[FAILED_GROUP] = k, i
    return status


@separate(types.int64(GROUPS, _REAL, REAL_ARRAY, REAL_ARRAY, _REAL, types.int64))
def positions(
    groups: Groups, t: float, q: FloatArray, rest: FloatArray, tolerance: float, limit: int
) -> int:
    """Solve for the dependent coordinates of all groups from a guess; inputs are fixed.

    Parameters
    ----------
    rest : array
        Workspace in place of velocities, on which no position depends.
    tolerance : float
        Tolerance of the last change of every coordinate, relative to 1 + its magnitude.
    limit : int
        Largest number of Newton iterations of one group.
    """
    head, out = groups.head, groups.out
    for k in range(head.shape[0]):
        n, straight = head[k, N_DEPENDENT], head[k, POSITION] != 0
        for i in range(head[k, COUNT]):
            first, status = head[k, DEPENDENT_AT] + i * n, NOT_CONVERGED
            for _ in range(limit):
                found = 1
                if straight:
                    found = call_group(groups, k, i, POSITION, t, q, q, q, q)
                if found != OK:
                    found = solve_block(groups, k, i, PHI, False, t, q, rest, rest)
                if found != OK:
                    return _failed(groups, k, i, found)
                groups.counters[ITERATIONS] += 1
                size = 0.0
                for j in range(n):
                    c, change = groups.dependent[first + j], out[j]
                    q[c] += change
                    size = max(size, abs(change) / (1.0 + abs(q[c])))
                    if not abs(change) <= 1e100:
                        return _failed(groups, k, i, NOT_FINITE)
                if size <= tolerance:
                    status = OK
                    break
            if status != OK:
                return _failed(groups, k, i, status)
    return OK


@internal
def _motion_by_block(
    groups: Groups, k: int, i: int, t: float, q: FloatArray, v: FloatArray, a: FloatArray
) -> int:
    """Do what the kernel ``motion`` does."""
    n = groups.head[k, N_DEPENDENT]
    first = groups.head[k, DEPENDENT_AT] + i * n
    for j in range(n):
        c = groups.dependent[first + j]
        v[c], a[c] = 0.0, 0.0
    status = solve_block(groups, k, i, PHI_DOT, False, t, q, v, a)
    for j in range(n):
        v[groups.dependent[first + j]] = groups.out[j]
    if status == OK:
        status = solve_block(groups, k, i, PHI_DDOT, False, t, q, v, a)
    for j in range(n):
        groups.out[n + j] = groups.out[j]
        groups.out[j] = v[groups.dependent[first + j]]
    return int(status)


@separate(types.int64(GROUPS, _REAL, REAL_ARRAY, REAL_ARRAY, REAL_ARRAY))
def motion(groups: Groups, t: float, q: FloatArray, v: FloatArray, a: FloatArray) -> int:
    """Solve for dependent velocities and accelerations from those of the inputs."""
    head, out = groups.head, groups.out
    for k in range(head.shape[0]):
        n, straight = head[k, N_DEPENDENT], head[k, MOTION] != 0
        for i in range(head[k, COUNT]):
            status = 1
            if straight:
                status = call_group(groups, k, i, MOTION, t, q, v, a, q)
            if status != OK:
                status = _motion_by_block(groups, k, i, t, q, v, a)
            if status != OK:
                return _failed(groups, k, i, status)
            first = head[k, DEPENDENT_AT] + i * n
            for j in range(n):
                c = groups.dependent[first + j]
                v[c], a[c] = out[j], out[n + j]
    return OK


@separate(types.int64(GROUPS, _REAL, REAL_ARRAY, REAL_ARRAY, REAL_ARRAY, REAL_TABLE))
def reach(
    groups: Groups, t: float, q: FloatArray, v: FloatArray, a: FloatArray, R: FloatArray
) -> int:
    """Do the same, and find ``R`` of ``v = R v_inputs + v_t``, whose rows of inputs are given."""
    head, out = groups.head, groups.out
    for k in range(head.shape[0]):
        n, known, straight = head[k, N_DEPENDENT], head[k, N_KNOWN], head[k, REACH] != 0
        for i in range(head[k, COUNT]):
            first, reads = head[k, DEPENDENT_AT] + i * n, head[k, KNOWN_AT] + i * known
            status, at = 1, 2 * n
            if straight:
                status = call_group(groups, k, i, REACH, t, q, v, a, q)
            if status == OK:
                for j in range(n):
                    c = groups.dependent[first + j]
                    v[c], a[c] = out[j], out[n + j]
            else:
                status = _motion_by_block(groups, k, i, t, q, v, a)
                for j in range(n):
                    c = groups.dependent[first + j]
                    v[c], a[c] = out[j], out[n + j]
                if status == OK:
                    status = solve_block(groups, k, i, PHI, True, t, q, v, a)
                at = n
            if status != OK:
                return _failed(groups, k, i, status)
            for j in range(n):
                c = groups.dependent[first + j]
                for z in range(R.shape[1]):
                    total = 0.0
                    for h in range(known):
                        total += out[at + h * n + j] * R[groups.known[reads + h], z]
                    R[c, z] = total
    return OK


@separate(
    types.int64(
        *(GROUPS, REAL_ARRAY, REAL_TABLE, REAL_TABLE, REAL_TABLE, INT_ARRAY),
        *(REAL_ARRAY, REAL_TABLE, _REAL, types.int64),
    ),
)
def analyses(
    groups: Groups,
    instants: FloatArray,
    z: FloatArray,
    z_dot: FloatArray,
    z_ddot: FloatArray,
    columns: IntArray,
    q: FloatArray,
    found: FloatArray,
    tolerance: float,
    limit: int,
) -> int:
    """Solve for position, velocity and acceleration at many instants, recording some columns."""
    n = len(columns)
    v, a, rest = np.zeros(len(q)), np.zeros(len(q)), np.zeros(len(q))
    for i in range(len(instants)):
        for j in range(len(groups.inputs)):
            c = groups.inputs[j]
            q[c], v[c], a[c] = z[i, j], z_dot[i, j], z_ddot[i, j]
        status = positions(groups, instants[i], q, rest, tolerance, limit)
        if status == OK:
            status = motion(groups, instants[i], q, v, a)
        if status != OK:
            return status
        for j in range(n):
            c = columns[j]
            found[i, j], found[i, n + j], found[i, 2 * n + j] = q[c], v[c], a[c]
    return OK
