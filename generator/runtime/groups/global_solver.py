"""Kinematics of the whole mechanism without groups: kernels and one sparse LU factorisation.

``H_phi x = -phi`` with as many independent rows as dependent coordinates, with fixed pivots. This
is the reference for the speed-up by groups.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import scipy.sparse as sp

from mbdgen.runtime.groups.group_decomposition import independent_rows
from mbdgen.runtime.linalg.equilibration import SingularMatrixError
from mbdgen.runtime.linalg.factor_storage import FACTORS, Factors
from mbdgen.runtime.linalg.linear_solver import analyse
from mbdgen.runtime.linalg.lu_factorisation import factorise, solve
from mbdgen.runtime.program.compiled_functions import internal, separate
from mbdgen.runtime.program.kernel_abi import KERNELS, Kernels
from mbdgen.runtime.system.kernel_calls import call, evaluate_rates, evaluate_residual
from mbdgen.runtime.system.run_workspace import (
    INT_ARRAY,
    KERNEL_FAILED,
    NOT_CONVERGED,
    NOT_FINITE,
    OK,
    REAL_ARRAY,
    REAL_TABLE,
    SINGULAR_TANGENT,
    WORK,
    RunWorkspace,
)
from mbdgen.runtime.system.system import System
from mbdgen.runtime.system.system_data import FloatArray, IntArray
from mbdgen.subset import types


class GlobalSolver(NamedTuple):
    """Tables of a mechanism that is solved as a whole.

    Attributes
    ----------
    rows, dependent, inputs : array
        Independent constraint rows, dependent and given coordinates.
    source : array
        Positions of the values of ``H_phi``, by columns, among those of the iteration matrix.
    known_row, known_column, known_source : array
        Entries of ``H`` in given columns: row, index among the inputs, and source of the value.
    values, rhs, x : array
        Workspace.
    """

    rows: IntArray
    dependent: IntArray
    inputs: IntArray
    source: IntArray
    known_row: IntArray
    known_column: IntArray
    known_source: IntArray
    values: FloatArray
    rhs: FloatArray
    x: FloatArray


WHOLE = types.NamedTuple((*(INT_ARRAY,) * 7, *(REAL_ARRAY,) * 3), GlobalSolver)


def new_whole(
    system: System,
    t: float,
    q: FloatArray,
    inputs: IntArray,
    nearby: Sequence[tuple[float, FloatArray]] = (),
) -> tuple[GlobalSolver, Factors]:
    """Choose independent rows, and pivots stable at a position and, if possible, near it."""
    work, n = system.work, system.n_q
    rows = independent_rows(system, t, q, inputs)
    dependent = np.setdiff1d(np.arange(n), inputs)
    zero = np.zeros(n)
    values = system.matrix_values(t, q, zero, zero, np.zeros(system.n_lam), (0.0, 0.0, 0.0))
    entry_numbers = np.arange(len(work.indices)) + 1
    shape = (system.n, system.n)
    where = sp.csc_array((entry_numbers, work.indices, work.indptr), shape=shape).tocsr()[rows]
    square = where[:, dependent].tocsc()
    known = where[:, inputs].tocoo()
    source = np.asarray(square.data - 1, np.int64)
    indptr, indices = square.indptr.astype(np.int64), square.indices.astype(np.int64)
    samples = [values[source]]
    for instant, position in nearby:
        every = system.matrix_values(
            instant, position, zero, zero, np.zeros(system.n_lam), (0.0, 0.0, 0.0)
        )
        samples.append(every[source])
    whole = GlobalSolver(
        rows=np.asarray(rows, np.int64),
        dependent=np.asarray(dependent, np.int64),
        inputs=np.asarray(inputs, np.int64),
        source=source,
        known_row=np.asarray(known.row, np.int64),
        known_column=np.asarray(known.col, np.int64),
        known_source=np.asarray(known.data - 1, np.int64),
        values=values[source],
        rhs=np.zeros(len(rows)),
        x=np.zeros(len(rows)),
    )
    return whole, _best_pivots(indptr, indices, samples)


def _best_pivots(indptr: IntArray, indices: IntArray, samples: Sequence[FloatArray]) -> Factors:
    """Return factors with the pivots of the sample that is stable for most of the others."""
    found: list[tuple[int, Factors]] = []
    for values in samples:
        try:
            factors = analyse(indptr, indices, values)
        except SingularMatrixError:
            continue
        suited = sum(factorise(factors, other) == OK for other in samples)
        if suited == len(samples):
            return factors
        found.append((suited, factors))
    if not found:
        return analyse(indptr, indices, samples[0])
    return max(found, key=lambda pair: pair[0])[1]


@internal
def _factors_at(
    kernels: Kernels,
    work: RunWorkspace,
    whole: GlobalSolver,
    factors: Factors,
    t: float,
    q: FloatArray,
) -> int:
    """Evaluate and factorise ``H_phi``."""
    zero, lam = work.zero, work.x[len(q) :]
    work.weights[0], work.weights[1], work.weights[2] = 0.0, 0.0, 1.0
    w, p, m = work.weights, work.p, work.m
    if call(kernels.mass, t, q, zero, zero, lam, w, p, m, work.values) != OK:
        return KERNEL_FAILED
    for e in range(len(whole.source)):
        whole.values[e] = work.values[whole.source[e]]
    return OK if factorise(factors, whole.values) == OK else SINGULAR_TANGENT


@separate(
    types.int64(
        *(KERNELS, WORK, WHOLE, FACTORS, types.float64, REAL_ARRAY, types.float64, types.int64)
    ),
)
def positions(
    kernels: Kernels,
    work: RunWorkspace,
    whole: GlobalSolver,
    factors: Factors,
    t: float,
    q: FloatArray,
    tolerance: float,
    limit: int,
) -> int:
    """Solve for the dependent coordinates by Newton's method from a guess; inputs are fixed."""
    n_q = len(q)
    for i in range(len(work.x)):
        work.x[i] = 0.0
    for _ in range(limit):
        lam = work.x[n_q:]
        if evaluate_residual(kernels, work, t, q, work.zero, work.zero, lam) != OK:
            return KERNEL_FAILED
        status = _factors_at(kernels, work, whole, factors, t, q)
        if status != OK:
            return status
        for i in range(len(whole.rows)):
            whole.rhs[i] = -work.residual[whole.rows[i]]
        solve(factors, whole.rhs, whole.x)
        size = 0.0
        for j in range(len(whole.x)):
            c = whole.dependent[j]
            q[c] += whole.x[j]
            size = max(size, abs(whole.x[j]) / (1.0 + abs(q[c])))
            if not abs(whole.x[j]) <= 1e100:
                return NOT_FINITE
        if size <= tolerance:
            return OK
    return NOT_CONVERGED


@separate(
    types.int64(
        *(KERNELS, WORK, WHOLE, FACTORS, types.float64),
        *(REAL_ARRAY, REAL_ARRAY, REAL_ARRAY, REAL_TABLE),
    ),
)
def reach(
    kernels: Kernels,
    work: RunWorkspace,
    whole: GlobalSolver,
    factors: Factors,
    t: float,
    q: FloatArray,
    v: FloatArray,
    a: FloatArray,
    R: FloatArray,
) -> int:
    """Solve for velocities, accelerations, and ``R`` column by column unless it has none."""
    status = _factors_at(kernels, work, whole, factors, t, q)
    if status != OK:
        return status
    n, n_q = len(whole.x), len(q)
    lam = work.x[n_q:]
    for j in range(n):
        v[whole.dependent[j]] = 0.0
        a[whole.dependent[j]] = 0.0
    for level in range(2):
        if evaluate_rates(kernels, work, t, q, v, a, lam) != OK:
            return KERNEL_FAILED
        for i in range(n):
            whole.rhs[i] = -work.rates[level * work.residual.size + whole.rows[i]]
        solve(factors, whole.rhs, whole.x)
        found = v if level == 0 else a
        for j in range(n):
            found[whole.dependent[j]] = whole.x[j]
    for z in range(R.shape[1]):
        for i in range(n):
            whole.rhs[i] = 0.0
        for e in range(len(whole.known_source)):
            if whole.known_column[e] == z:
                whole.rhs[whole.known_row[e]] -= work.values[whole.known_source[e]]
        solve(factors, whole.rhs, whole.x)
        for j in range(n):
            R[whole.dependent[j], z] = whole.x[j]
    return OK


@separate(
    types.int64(
        *(KERNELS, WORK, WHOLE, FACTORS, REAL_ARRAY, REAL_TABLE, REAL_TABLE, REAL_TABLE),
        *(INT_ARRAY, REAL_ARRAY, REAL_TABLE, types.float64, types.int64, INT_ARRAY),
    ),
)
def analyses(
    kernels: Kernels,
    work: RunWorkspace,
    whole: GlobalSolver,
    factors: Factors,
    instants: FloatArray,
    z: FloatArray,
    z_dot: FloatArray,
    z_ddot: FloatArray,
    columns: IntArray,
    q: FloatArray,
    found: FloatArray,
    tolerance: float,
    limit: int,
    done: IntArray,
) -> int:
    """Solve for position, velocity and acceleration at many instants, recording some columns.

    It continues after the instants already ``done``.
    """
    n = len(columns)
    v, a, R = np.zeros(len(q)), np.zeros(len(q)), np.zeros((len(q), 0))
    for i in range(done[0], len(instants)):
        for j in range(len(whole.inputs)):
            c = whole.inputs[j]
            q[c], v[c], a[c] = z[i, j], z_dot[i, j], z_ddot[i, j]
        status = positions(kernels, work, whole, factors, instants[i], q, tolerance, limit)
        if status == OK:
            status = reach(kernels, work, whole, factors, instants[i], q, v, a, R)
        if status != OK:
            return status
        for j in range(n):
            c = columns[j]
            found[i, j], found[i, n + j], found[i, 2 * n + j] = q[c], v[c], a[c]
        done[0] = i + 1
    return OK
