"""Consistent initial values of ordinary small systems, compiled.

``phi(t, q) = 0``,  ``H v + phi_t = 0``,  ``[M, -G^T; H, eps] [a; lam] = [f; gamma]``

Here is Newton's method as it goes when nothing is wrong, for one simulation and for each of
thousands in an ensemble alike. At the first sign of trouble it gives up, and `assemble` takes over:
that one is cautious and can say what is wrong.
"""

from typing import NamedTuple

import numpy as np
from numba import types

from mbdgen.runtime.abi import KERNELS, Kernels
from mbdgen.runtime.compiled import internal, separate
from mbdgen.runtime.data import FloatArray, IntArray, SystemData
from mbdgen.runtime.equations import (
    evaluate_matrix,
    evaluate_rates,
    evaluate_residual,
    factorise_mass,
    largest,
    largest_constraint,
)
from mbdgen.runtime.linear import FACTORS, Factors, dense_factors, factorise, solve
from mbdgen.runtime.projections import project_velocity, solve_accelerations
from mbdgen.runtime.regularise import regularise
from mbdgen.runtime.work import INT_ARRAY, IRREGULAR, OK, REAL_ARRAY, STATE, WORK, State, Work

LIMIT = 150
"""Unknowns up to which dense factorisations cost less than SciPy's sparse ones from Python."""
POSITION_TOLERANCE = 1e-12
CONTRADICTION = 1e-7
"""A violation that least squares leave above this part of its scale is a contradiction."""
SINGULAR_RESPONSE = 1e12
"""Accelerations per force (both scaled to 1) that only a motion without inertia can show."""
NO_RESPONSE = 1e-4
"""[M] Where nothing can move, ``eps`` leaves up to 2e-7; what can move gives 0.26 or more."""
PASSES = 12
DAMPING = 1e-12


class Room(NamedTuple):
    """Where one system is assembled; contains work space, so two threads need two.

    Attributes
    ----------
    mass : Factors
        Of ``[M, -G^T; H, eps]``.
    gram : Factors
        Of ``H H^T + mu`` in the free coordinates, both dense.
    gram_values : array
        Values of that matrix by columns.
    rows : array of int
        Constraint rows of positions.
    number : array of int
        Number of the constraint in every row of these, -1 in others.
    free, free_velocity : array of int
        1 for coordinates (velocities) that may be changed.
    force : array
        Some force on every row, by which a motion without inertia betrays itself.
    must_move : array of int
        1 if only the ranks of the constraints can leave a motion: then one must be seen.
    step : array
        One number for every constraint on positions.
    """

    mass: Factors
    gram: Factors
    gram_values: FloatArray
    rows: IntArray
    number: IntArray
    free: IntArray
    free_velocity: IntArray
    force: FloatArray
    must_move: IntArray
    step: FloatArray


ROOM = types.NamedTuple(
    (
        *(FACTORS, FACTORS, REAL_ARRAY, *(INT_ARRAY,) * 4),
        *(REAL_ARRAY, INT_ARRAY, REAL_ARRAY),
    ),
    Room,
)


def new_room(work: Work, data: SystemData) -> Room:
    """Return room for the assembly of a system; systems above `LIMIT` are not assembled here."""
    rows = work.rows[work.holonomic[work.rows] != 0.0]
    n, m = len(work.x), len(rows)
    number = np.full(n, -1, np.int64)
    number[rows] = np.arange(m)
    size = m if n <= LIMIT else 0
    pattern = (work.indptr, work.indices) if n <= LIMIT else (np.zeros(1, np.int64), number[:0])
    return Room(
        mass=dense_factors(*pattern),
        gram=dense_factors(np.arange(size + 1) * size, np.tile(np.arange(size), size)),
        gram_values=np.zeros(size * size),
        rows=rows,
        number=number,
        free=(~data.fixed).astype(np.int64),
        free_velocity=(~data.fixed_velocity).astype(np.int64),
        force=random_force(n, work.rows),
        must_move=np.array([data.n_q <= len(work.rows) and not data.drives], np.int64),
        step=np.zeros(m),
    )


def random_force(n: int, rows: IntArray) -> FloatArray:
    """Return a force that no motion is perpendicular to, zero in the constraint rows."""
    force = np.random.default_rng(1).uniform(0.5, 1.0, n)
    force[rows] = 0.0
    return force


@internal
def _size_of_jacobian(work: Work, room: Room, n_q: int) -> float:
    """Largest magnitude in ``H``, taken from the matrix evaluated last."""
    top = 0.0
    for k in range(work.indptr[n_q]):
        if room.number[work.indices[k]] >= 0:
            top = max(top, abs(work.values[k]))
    return top


@separate(types.int64(KERNELS, WORK, ROOM, STATE))
def _least_change(kernels: Kernels, work: Work, room: Room, state: State) -> int:
    """Add ``-H^T (H H^T + mu)^-1 phi`` to the free coordinates; ``phi`` is in ``work``.

    The small ``mu`` makes redundant constraints harmless; repetition removes its effect.
    """
    n_q, m, gram, at = len(state.q), len(room.step), room.gram_values, state
    work.weights[0], work.weights[1], work.weights[2] = 0.0, 0.0, 0.0
    status = evaluate_matrix(kernels, work, at.clock[0], at.q, at.v, at.a, at.lam)
    if status != OK:
        return status
    gram[:] = 0.0
    for j in range(n_q):
        if room.free[j] == 0:
            continue
        for k in range(work.indptr[j], work.indptr[j + 1]):
            c = room.number[work.indices[k]]
            if c < 0:
                continue
            for s in range(work.indptr[j], work.indptr[j + 1]):
                d = room.number[work.indices[s]]
                if d >= 0:
                    gram[c * m + d] += work.values[k] * work.values[s]
    size = _size_of_jacobian(work, room, n_q)
    for c in range(m):
        gram[c * m + c] += DAMPING * size * size
        room.step[c] = -work.residual[room.rows[c]]
    if factorise(room.gram, gram) != OK:
        return IRREGULAR
    solve(room.gram, room.step, room.step)
    for j in range(n_q):
        if room.free[j] == 1:
            for k in range(work.indptr[j], work.indptr[j + 1]):
                c = room.number[work.indices[k]]
                if c >= 0:
                    state.q[j] += work.values[k] * room.step[c]
    return OK


@separate(types.int64(KERNELS, WORK, ROOM, STATE))
def _positions(kernels: Kernels, work: Work, room: Room, state: State) -> int:
    """Make ``phi(t, q) = 0``; the step after the tolerance is met doubles the digits."""
    q, before = state.q, work.scratch[0]
    at, t = state, state.clock[0]
    if evaluate_residual(kernels, work, t, q, at.v, at.a, at.lam) != OK:
        return IRREGULAR
    size = largest_constraint(work, work.residual, 0)
    for _ in range(PASSES):
        if size <= 1e-15:
            return OK
        last = size <= max(POSITION_TOLERANCE, 2e-14 * (1.0 + largest(q)))
        for i in range(len(q)):
            before[i] = q[i]
        if not size <= 1e300 or _least_change(kernels, work, room, state) != OK:
            return IRREGULAR
        if evaluate_residual(kernels, work, t, q, at.v, at.a, at.lam) != OK:
            return IRREGULAR
        new = largest_constraint(work, work.residual, 0)
        if last:
            if not new < size:
                for i in range(len(q)):
                    q[i] = before[i]
            return OK
        if not new <= 0.5 * size:
            return IRREGULAR
        size = new
    return IRREGULAR


@separate(types.float64(KERNELS, WORK, STATE, types.float64))
def _velocity_violation(kernels: Kernels, work: Work, state: State, size: float) -> float:
    """Largest ``|H v + phi_t|`` relative to ``|H| (1 + |v|)``."""
    t, q, v = state.clock[0], state.q, state.v
    if evaluate_rates(kernels, work, t, q, v, work.zero, state.lam) != OK:
        return np.inf
    return largest_constraint(work, work.rates, 0) / (max(size, 1e-300) * (1.0 + largest(v)))


@separate(types.int64(KERNELS, WORK, ROOM, STATE))
def _velocities(kernels: Kernels, work: Work, room: Room, state: State) -> int:
    """Make ``H v + phi_t = 0`` with the least kinetic energy; ``room.mass`` is factorised."""
    size = _size_of_jacobian(work, room, len(state.q))
    if len(work.rows) == 0 or _velocity_violation(kernels, work, state, size) <= 1e-13:
        return OK
    for free in room.free_velocity:
        if free == 0:
            return IRREGULAR
    status = project_velocity(kernels, work, room.mass, state)
    if status == OK and _velocity_violation(kernels, work, state, size) <= 1e-10:
        return OK
    return IRREGULAR


@separate(types.int64(WORK, ROOM, types.int64))
def _has_inertia(work: Work, room: Room, n_q: int) -> int:
    """Whether ``room.force`` gives accelerations, and finite ones; rows and columns scaled to 1."""
    rows, columns, values = work.residual, work.rates, work.values
    rows[:] = 0.0
    for k in range(len(values)):
        rows[work.indices[k]] = max(rows[work.indices[k]], abs(values[k]))
    for j in range(n_q):
        columns[j] = 0.0
        for k in range(work.indptr[j], work.indptr[j + 1]):
            scale = rows[work.indices[k]]
            if scale > 0.0:
                columns[j] = max(columns[j], abs(values[k]) / scale)
    for i in range(len(rows)):
        work.rhs[i] = room.force[i] * (rows[i] if rows[i] > 0.0 else 1.0)
    solve(room.mass, work.rhs, work.x)
    response = 0.0
    for j in range(n_q):
        response = max(response, abs(work.x[j]) * columns[j])
    if room.must_move[0] == 1 and not response > NO_RESPONSE:
        return 0
    return 1 if largest(work.x) <= 1e300 and response <= SINGULAR_RESPONSE else 0


@separate(types.int64(KERNELS, WORK, ROOM, STATE))
def _accelerations(kernels: Kernels, work: Work, room: Room, state: State) -> int:
    """Solve for ``a`` and ``lam``; ``room.mass`` is factorised, its matrix in ``work``."""
    if _has_inertia(work, room, len(state.q)) == 0:
        return IRREGULAR
    if solve_accelerations(kernels, work, room.mass, state) != OK:
        return IRREGULAR
    t, q, v, a, lam = state.clock[0], state.q, state.v, state.a, state.lam
    if evaluate_rates(kernels, work, t, q, v, a, lam) != OK:
        return IRREGULAR
    speed = largest(v)
    violation = largest_constraint(work, work.rates, len(work.x))
    fine = violation <= CONTRADICTION * (1.0 + largest(a) + speed * speed)
    return OK if fine and largest(a) + largest(lam) <= 1e300 else IRREGULAR


@separate(
    types.int64(KERNELS, WORK, ROOM, STATE, REAL_ARRAY, REAL_ARRAY),
    from_python=True,
)
def assemble(
    kernels: Kernels, work: Work, room: Room, state: State, q0: FloatArray, v0: FloatArray
) -> int:
    """Make a state consistent from the guesses ``q0, v0``; its clock is the initial time.

    Returns 0, or ``IRREGULAR``: then the state is of no use.
    """
    for i in range(len(q0)):
        state.q[i] = q0[i]
        state.v[i] = 0.0
        state.a[i] = 0.0
    for i in range(len(state.lam)):
        state.lam[i] = 0.0
    status = _positions(kernels, work, room, state)
    if status == OK:
        status = regularise(kernels, work, state)
    if status == OK:
        status = factorise_mass(kernels, work, room.mass, state, state.clock[0])
    for i in range(len(v0)):
        state.v[i] = v0[i]
    if status == OK:
        status = _velocities(kernels, work, room, state)
    if status == OK:
        status = _accelerations(kernels, work, room, state)
    return OK if status == OK else IRREGULAR
