"""Null-space Newmark method: Newmark's formula in minimal coordinates at the end of the step."""

from math import inf, sqrt

import numpy as np

from mbdgen.runtime.linalg.dense_lu import lu, lu_solve
from mbdgen.runtime.linalg.eigenvalues import largest_real_part
from mbdgen.runtime.program.compiled_functions import internal, separate
from mbdgen.runtime.program.kernel_abi import Kernels
from mbdgen.runtime.solvers.dense_workspace import DOF, DenseWorkspace
from mbdgen.runtime.solvers.linearised_equations import (
    LINEAR,
    LinearisedEquations,
    linearise,
    new_linear,
)
from mbdgen.runtime.solvers.minimal_coordinates import (
    CHART,
    MinimalCoordinates,
    make_chart,
    new_chart,
)
from mbdgen.runtime.solvers.scheme_functions import SchemeFunctions, general_step
from mbdgen.runtime.system.kernel_calls import largest
from mbdgen.runtime.system.run_workspace import (
    FACTORISATIONS,
    NEWTON,
    NOT_CONVERGED,
    NOT_FINITE,
    OK,
    REAL_ARRAY,
    REAL_TABLE,
    STATE,
    WORK,
    RunWorkspace,
    State,
)
from mbdgen.runtime.system.system_data import FloatArray
from mbdgen.runtime.system.unit_vectors import normalise
from mbdgen.subset import types

# Rows of the workspace of a step: the state at its beginning, and the increments of one iteration.
Q, V, A, DQ, DV, DA = range(6)
# Indices into ``dense.measured``.
MAX_FREQUENCY, STEP_LIMIT = 0, 1


@separate(types.int64(LINEAR, CHART, STATE, REAL_TABLE, types.float64, REAL_ARRAY))
def newton(
    linear: LinearisedEquations,
    chart: MinimalCoordinates,
    state: State,
    vectors: FloatArray,
    h: float,
    options: FloatArray,
) -> int:
    """Solve the reduced equations at the end of the step; store the increments of ``q, v, a``.

    ``s_ddot = c_0 (s - s_t) - c_1 s_dot_t - c_2 s_ddot_t``,
    ``s_dot = c_5 (s - s_t) - c_6 s_dot_t - c_7 s_ddot_t``, where ``s_t`` and its rates are the
    beginning of the step in the coordinates of this iterate. ``N_G^T`` eliminates the reactions.
    """
    beta, gamma = options[0], options[1]
    c_0, c_5 = 1.0 / (beta * h * h), gamma / (beta * h)
    N, V_, A_ = chart.N, chart.V, chart.A
    back = np.ascontiguousarray(N.T)
    s_t = np.dot(back, vectors[Q] - state.q - chart.q)
    s_dot_t = np.dot(back, vectors[V] - chart.v - np.dot(V_, s_t))
    s_ddot_t = np.dot(back, vectors[A] - chart.a - np.dot(A_, s_t) - 2.0 * np.dot(V_, s_dot_t))
    speed = -c_5 * s_t - (gamma / beta - 1.0) * s_dot_t - 0.5 * h * (gamma / beta - 2.0) * s_ddot_t
    pull = -c_0 * s_t - s_dot_t / (beta * h) - (0.5 / beta - 1.0) * s_ddot_t

    M, C, K = linear.M, linear.C, linear.K
    full = np.dot(K + c_5 * C + c_0 * M, N) + np.dot(C + 2.0 * c_5 * M, V_) + np.dot(M, A_)
    known_v = chart.v - state.v + np.dot(N, speed)
    known_a = chart.a - state.a + np.dot(N, pull) + 2.0 * np.dot(V_, speed)
    rest = linear.r + np.dot(K, chart.q) + np.dot(C, known_v) + np.dot(M, known_a)
    forces = np.ascontiguousarray(chart.N_G.T)
    reduced, s = np.dot(forces, full), np.zeros(len(s_t))
    order = np.zeros(len(s), np.int64)
    status = lu(reduced, order)
    if status != OK:
        return status
    lu_solve(reduced, order, -np.dot(forces, rest), s)
    vectors[DQ] = chart.q + np.dot(N, s)
    vectors[DV] = known_v + c_5 * np.dot(N, s) + np.dot(V_, s)
    vectors[DA] = known_a + c_0 * np.dot(N, s) + 2.0 * c_5 * np.dot(V_, s) + np.dot(A_, s)
    return OK


@separate(types.void(WORK, LINEAR, CHART, STATE, REAL_TABLE))
def take(
    work: RunWorkspace,
    linear: LinearisedEquations,
    chart: MinimalCoordinates,
    state: State,
    vectors: FloatArray,
) -> None:
    """Add the increments; compute the multipliers of least norm from all dynamics rows."""
    rest = linear.r + np.dot(linear.K, vectors[DQ]) + np.dot(linear.C, vectors[DV])
    rest += np.dot(linear.M, vectors[DA])
    scale = np.sqrt(work.eps)
    rest += np.dot(np.ascontiguousarray(linear.G.T), scale * state.lam)
    state.lam[:] = np.dot(np.ascontiguousarray(chart.G_inverse.T), rest) / scale
    for i in range(len(state.q)):
        state.q[i] += vectors[DQ, i]
        state.v[i] += vectors[DV, i]
        state.a[i] += vectors[DA, i]


@separate(types.float64(LINEAR, CHART))
def highest_frequency(linear: LinearisedEquations, chart: MinimalCoordinates) -> float:
    """Highest natural frequency: square root of the largest eigenvalue of ``M_R^-1 K_R``, or 0."""
    dof = chart.N.shape[1]
    forces = np.ascontiguousarray(chart.N_G.T)
    mass = np.dot(forces, np.dot(linear.M, chart.N))
    stiffness = np.dot(linear.K, chart.N) + np.dot(linear.C, chart.V) + np.dot(linear.M, chart.A)
    stiffness = np.dot(forces, stiffness)
    order, column = np.zeros(dof, np.int64), np.zeros(dof)
    if lu(mass, order) != OK:
        return inf
    ratio = np.zeros((dof, dof))
    for j in range(dof):
        lu_solve(mass, order, np.ascontiguousarray(stiffness[:, j]), column)
        for i in range(dof):
            ratio[i, j] = column[i]
    return sqrt(largest_real_part(ratio))


@internal
def normalise_with_rates(work: RunWorkspace, state: State) -> None:
    """Normalise unit vectors exactly, with compatible rates, by the smallest changes."""
    q, v, a = state.q, state.v, state.a
    normalise(work.unit_blocks, q)
    for k in range(work.unit_blocks.shape[0]):
        first, last = work.unit_blocks[k, 0], work.unit_blocks[k, 0] + work.unit_blocks[k, 1]
        along = 0.0
        for i in range(first, last):
            along += q[i] * v[i]
        pull = 0.0
        for i in range(first, last):
            v[i] -= q[i] * along
            pull += v[i] * v[i] + q[i] * a[i]
        for i in range(first, last):
            a[i] -= q[i] * pull


@general_step
def step(
    kernels: Kernels,
    work: RunWorkspace,
    state: State,
    h: float,
    options: FloatArray,
    parts: SchemeFunctions,
    dense: DenseWorkspace,
) -> int:
    """Advance by one step; see `mbdgen.runtime.integrators.nullspace_newmark`."""
    beta, gamma, tolerance, limit = options[0], options[1], options[2], int(options[3])
    linear = new_linear(work, dense)
    chart = new_chart(linear, dense.sizes[DOF])
    vectors = np.zeros((6, len(state.q)))
    for i in range(len(state.q)):
        vectors[Q, i], vectors[V, i], vectors[A, i] = state.q[i], state.v[i], state.a[i]
    state.clock[0] += h
    for _ in range(limit):
        status = linearise(kernels, work, state, dense, linear)
        if status != OK:
            return status
        status = make_chart(linear, state, chart)
        if status == OK:
            status = newton(linear, chart, state, vectors, h, options)
        if status != OK:
            return status
        take(work, linear, chart, state, vectors)
        work.counters[NEWTON] += 1
        work.counters[FACTORISATIONS] += 1
        change = largest(vectors[DQ])
        if not change <= 1e300:
            return NOT_FINITE
        # The remaining error is of the order of the squares of all increments, also of velocities.
        slow = largest(vectors[DV]) <= sqrt(tolerance) * (1.0 + largest(state.v))
        if change <= tolerance * (1.0 + largest(state.q)) and slow:
            normalise_with_rates(work, state)
            frequency = max(dense.measured[MAX_FREQUENCY], highest_frequency(linear, chart))
            dense.measured[MAX_FREQUENCY] = frequency
            excess = 0.5 * gamma - beta
            limited = excess > 0.0 and frequency > 0.0
            dense.measured[STEP_LIMIT] = 1.0 / (frequency * sqrt(excess)) if limited else inf
            return OK
    return NOT_CONVERGED
