"""Fast consistent initialisation, compiled: non-singular systems of up to 150 unknowns.

``phi(t, q) = 0``,  ``H v + phi_t = 0``,  ``[M, -G^T; H, eps] [a; lam] = [f; gamma]``

Newton's method without safeguards, for single simulations and for each member of an ensemble. It
returns a failure at the first irregularity; then the robust method of
`mbdgen.runtime.initialisation.assembly` takes over, which can also explain what is wrong.
"""

from typing import NamedTuple

import numpy as np

from mbdgen.interface import LEVELS
from mbdgen.runtime.initialisation.void_equations import NO_DERIVATIVE
from mbdgen.runtime.linalg.linear_solver import FACTORS, Factors, dense_factors, factorise, solve
from mbdgen.runtime.linalg.multiplier_regularisation import regularise
from mbdgen.runtime.program.compiled_functions import internal, separate
from mbdgen.runtime.program.kernel_abi import KERNELS, Kernels
from mbdgen.runtime.results.result_series import lengths
from mbdgen.runtime.solvers.constraint_projections import project_velocity, solve_accelerations
from mbdgen.runtime.system.kernel_calls import (
    evaluate_matrix,
    evaluate_outputs,
    evaluate_rates,
    evaluate_residual,
    factorise_mass,
    largest,
)
from mbdgen.runtime.system.run_workspace import (
    INT_ARRAY,
    INT_TABLE,
    IRREGULAR,
    OK,
    REAL_ARRAY,
    REAL_TABLE,
    STATE,
    WORK,
    RunWorkspace,
    State,
)
from mbdgen.runtime.system.system_data import FloatArray, IntArray, Stated, SystemData
from mbdgen.subset import types

LIMIT = 150
"""Number of unknowns up to which dense factorisations are faster than SciPy's sparse ones."""
POSITION_TOLERANCE = 1e-12
CONTRADICTION = 1e-7
"""Relative violation after a least-squares solution above which constraints are inconsistent."""
SINGULAR_RESPONSE = 1e12
"""Acceleration per force (both scaled to 1) that only a motion without inertia can reach."""
NO_RESPONSE = 1e-4
"""[M] Without degrees of freedom ``eps`` leaves up to 2e-7; any motion gives 0.26 or more."""
FITS = 1e-11
"""Relative tolerance, by the largest value, within which initial conditions are as stated."""
PASSES = 12
DAMPING = 1e-12


class InitialisationWorkspace(NamedTuple):
    """Workspace for the initialisation of one system; each thread needs its own.

    Attributes
    ----------
    mass : Factors
        Factors of ``[M, -G^T; H, eps]``.
    gram : Factors
        Dense factors of ``H H^T + mu`` in the free coordinates.
    gram_values : array
        Values of that matrix, column by column.
    rows : array of int
        Holonomic constraint rows.
    number : array of int
        Index of the constraint of every such row, -1 in others.
    free, free_velocity : array of int
        1 for coordinates (velocities) that may change.
    force : array
        A generic force on every row, which reveals motions without inertia.
    must_move : array of int
        1 if there is a motion only by the rank deficiency of the constraints: then the response
        must show one.
    step : array
        One value for every holonomic constraint.
    is_length : array of int
        1 for coordinates with the unit of a length.
    terms : array, shape (3, n)
        Size of the terms of each row for lengths as large as the mechanism, and of the terms
        without its unknowns; the third row is workspace. See
        `mbdgen.runtime.system.equation_scales`.
    length : array
        Characteristic length of the mechanism.
    stated : array of int, shape (k, 2)
        Output indices of initial coordinates and rates of bodies, and indices in the parameter
        table of the values that they should have; empty if other initial conditions were given.
    told : array
        Output of the kernel for outputs.
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
    is_length: IntArray
    terms: FloatArray
    length: FloatArray
    stated: IntArray
    told: FloatArray


ROOM = types.NamedTuple(
    (
        *(FACTORS, FACTORS, REAL_ARRAY, *(INT_ARRAY,) * 4),
        *(REAL_ARRAY, INT_ARRAY, REAL_ARRAY),
        *(INT_ARRAY, REAL_TABLE, REAL_ARRAY, INT_TABLE, REAL_ARRAY),
    ),
    InitialisationWorkspace,
)


def new_initialisation_workspace(
    work: RunWorkspace, data: SystemData, as_given: bool = True
) -> InitialisationWorkspace:
    """Return workspace for the initialisation of a system; empty for systems above `LIMIT`.

    Parameters
    ----------
    as_given : bool
        Whether the initial conditions are those of the model.
    """
    rows = work.rows[work.holonomic[work.rows] != 0.0]
    n, m = len(work.x), len(rows)
    number = np.full(n, -1, np.int64)
    number[rows] = np.arange(m)
    size = m if n <= LIMIT else 0
    pattern = (work.indptr, work.indices) if n <= LIMIT else (np.zeros(1, np.int64), number[:0])
    return InitialisationWorkspace(
        mass=dense_factors(*pattern),
        gram=dense_factors(np.arange(size + 1) * size, np.tile(np.arange(size), size)),
        gram_values=np.zeros(size * size),
        rows=rows,
        number=number,
        free=(~data.fixed).astype(np.int64),
        free_velocity=(~data.fixed_velocity).astype(np.int64) * _none_fixed(data.stated),
        force=random_force(n, work.rows),
        must_move=np.array([data.n_q <= len(work.rows) and not data.drives], np.int64),
        step=np.zeros(m),
        is_length=lengths(data.names).astype(np.int64),
        terms=np.zeros((3, n)),
        length=np.ones(1),
        stated=_stated(data) if as_given else np.zeros((0, 2), np.int64),
        told=np.zeros(data.names.n_out),
    )


def _none_fixed(stated: Stated) -> int:
    """Return 1 unless velocities of bodies are fixed; fixed positions need robust assembly, too."""
    return int(not any(map(len, (stated.held, stated.held_velocity, stated.twists))))


def _stated(data: SystemData) -> IntArray:
    """Return output indices of initial coordinates and rates of bodies, and of stated values."""
    first, size = len(data.names.outputs), len(data.names.bodies) // len(LEVELS)
    at, q, v = data.stated.coordinates.T
    pairs = [np.stack([first + at, q], 1), np.stack([first + size + at, v], 1)]
    return np.ascontiguousarray(np.concatenate(pairs))


def random_force(n: int, rows: IntArray) -> FloatArray:
    """Return a generic force, orthogonal to no motion; zero in the constraint rows."""
    force = np.random.default_rng(1).uniform(0.5, 1.0, n)
    force[rows] = 0.0
    return force


@internal
def _note_terms(work: RunWorkspace, room: InitialisationWorkspace, q: FloatArray) -> None:
    """Store the size of the terms of each row, from the matrix evaluated last: see `Sizes`.

    Rows with vanishing derivatives get 1: see `mbdgen.runtime.initialisation.void_equations`.
    """
    lengths, others, length, top = room.terms[0], room.terms[2], 0.0, 1.0
    room.terms[:] = 0.0
    for j in range(len(q)):
        if room.is_length[j] == 1:
            length = max(length, abs(q[j]))
        for k in range(work.indptr[j], work.indptr[j + 1]):
            row, size = work.indices[k], abs(work.values[k])
            if room.is_length[j] == 1:
                lengths[row] = max(lengths[row], size)
            else:
                others[row] = max(others[row], size)
    for row in work.rows:
        top = max(top, max(lengths[row], others[row]))
        if lengths[row] > 0.0:
            length = max(length, others[row] / lengths[row])
    room.length[0] = length if length > 0.0 else 1.0
    for row in work.rows:
        void = max(lengths[row], others[row]) <= NO_DERIVATIVE * top
        lengths[row] = 1.0 if void else max(lengths[row] * room.length[0], others[row])


@internal
def _relative(work: RunWorkspace, room: InitialisationWorkspace) -> float:
    """Return the largest residual of positions in ``work``, relative to the size of its terms."""
    top = 0.0
    for row in room.rows:
        size = abs(work.residual[row])
        if not size <= 1e300:
            return np.inf
        terms = room.terms[0, row]
        top = max(top, size / terms if terms > 0.0 else size)
    return top


@internal
def _size_of_jacobian(work: RunWorkspace, room: InitialisationWorkspace, n_q: int) -> float:
    """Return the largest magnitude in ``H``, from the matrix evaluated last."""
    top = 0.0
    for k in range(work.indptr[n_q]):
        if room.number[work.indices[k]] >= 0:
            top = max(top, abs(work.values[k]))
    return top


@separate(types.int64(KERNELS, WORK, ROOM, STATE))
def _least_change(
    kernels: Kernels, work: RunWorkspace, room: InitialisationWorkspace, state: State
) -> int:
    """Add the Newton step ``-H^T (H H^T + mu)^-1 phi`` to the free coordinates.

    ``phi`` is in ``work``. It is the step of least norm; the small ``mu`` makes redundant
    constraints harmless, and iteration removes its effect.
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
def _positions(
    kernels: Kernels, work: RunWorkspace, room: InitialisationWorkspace, state: State
) -> int:
    """Solve ``phi(t, q) = 0`` by Newton iteration, with one step more after convergence."""
    q, before = state.q, work.scratch[0]
    at, t = state, state.clock[0]
    work.weights[0], work.weights[1], work.weights[2] = 0.0, 0.0, 0.0
    if evaluate_matrix(kernels, work, t, q, at.v, at.a, at.lam) != OK:
        return IRREGULAR
    _note_terms(work, room, q)
    if evaluate_residual(kernels, work, t, q, at.v, at.a, at.lam) != OK:
        return IRREGULAR
    size = _relative(work, room)
    for _ in range(PASSES):
        if size <= 1e-15:
            return OK
        last = size <= max(POSITION_TOLERANCE, 2e-14 * largest(q))
        for i in range(len(q)):
            before[i] = q[i]
        if not size <= 1e300 or _least_change(kernels, work, room, state) != OK:
            return IRREGULAR
        if evaluate_residual(kernels, work, t, q, at.v, at.a, at.lam) != OK:
            return IRREGULAR
        new = _relative(work, room)
        if last:
            if not new < size:
                for i in range(len(q)):
                    q[i] = before[i]
            return OK
        if not new <= 0.5 * size:
            return IRREGULAR
        size = new
    return IRREGULAR


@internal
def _speed(room: InitialisationWorkspace, x: FloatArray) -> float:
    """Return the largest rate; rates of lengths relative to the length of the mechanism."""
    speed = 0.0
    for j in range(len(x)):
        speed = max(speed, abs(x[j]) / (room.length[0] if room.is_length[j] == 1 else 1.0))
    return speed


@internal
def _relative_rates(
    work: RunWorkspace, room: InitialisationWorkspace, speed: float, offset: int
) -> float:
    """Return the largest of the rates in ``work``, relative to the size of its terms."""
    top = 0.0
    for row in work.rows:
        size = abs(work.rates[offset + row])
        if not size <= 1e300:
            return np.inf
        terms = max(room.terms[0, row] * speed, room.terms[1, row])
        top = max(top, size / terms if terms > 0.0 else size)
    return top


@separate(types.int64(KERNELS, WORK, ROOM, STATE, REAL_ARRAY, REAL_ARRAY, types.int64))
def _note_known(
    kernels: Kernels,
    work: RunWorkspace,
    room: InitialisationWorkspace,
    state: State,
    v: FloatArray,
    a: FloatArray,
    offset: int,
) -> int:
    """Store the rates at a state without the unknowns, the known terms of the equations."""
    status = evaluate_rates(kernels, work, state.clock[0], state.q, v, a, state.lam)
    for row in work.rows:
        room.terms[1, row] = abs(work.rates[offset + row])
    return status


@separate(types.float64(KERNELS, WORK, ROOM, STATE, types.float64))
def _velocity_violation(
    kernels: Kernels, work: RunWorkspace, room: InitialisationWorkspace, state: State, least: float
) -> float:
    """Return the largest ``|H v + phi_t|``, relative to the terms of its row at that speed."""
    t, q, v = state.clock[0], state.q, state.v
    if evaluate_rates(kernels, work, t, q, v, work.zero, state.lam) != OK:
        return np.inf
    return _relative_rates(work, room, max(least, _speed(room, v)), 0)


@separate(types.int64(KERNELS, WORK, ROOM, STATE))
def _velocities(
    kernels: Kernels, work: RunWorkspace, room: InitialisationWorkspace, state: State
) -> int:
    """Solve ``H v + phi_t = 0`` with least kinetic energy; ``room.mass`` is factorised."""
    if len(work.rows) == 0:
        return OK
    if _note_known(kernels, work, room, state, work.zero, work.zero, 0) != OK:
        return IRREGULAR
    stated = _speed(room, state.v)
    if _velocity_violation(kernels, work, room, state, stated) <= 1e-13:
        return OK
    for free in room.free_velocity:
        if free == 0:
            return IRREGULAR
    status = project_velocity(kernels, work, room.mass, state)
    if status == OK and _velocity_violation(kernels, work, room, state, stated) <= 1e-10:
        return OK
    return IRREGULAR


@separate(types.int64(KERNELS, WORK, ROOM, STATE, REAL_ARRAY, REAL_ARRAY))
def _as_stated(
    kernels: Kernels,
    work: RunWorkspace,
    room: InitialisationWorkspace,
    state: State,
    q0: FloatArray,
    v0: FloatArray,
) -> int:
    """Check that ``q0, v0`` express the stated motion of bodies: see `stated_bodies`."""
    if len(room.stated) == 0:
        return OK
    told, t, p = room.told, state.clock[0], work.p
    if evaluate_outputs(kernels, work, t, q0, v0, work.zero, state.lam, told) != OK:
        return IRREGULAR
    half = len(room.stated) // 2
    for first in (0, half):
        top, gap = 0.0, 0.0
        for k in range(first, first + half):
            wanted = p[room.stated[k, 1]]
            top, gap = max(top, abs(wanted)), max(gap, abs(told[room.stated[k, 0]] - wanted))
        if not gap <= FITS * top:
            return IRREGULAR
    return OK


@separate(types.int64(WORK, ROOM, types.int64))
def _has_inertia(work: RunWorkspace, room: InitialisationWorkspace, n_q: int) -> int:
    """Check that ``room.force`` gives accelerations, and finite ones; matrix equilibrated."""
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
def _accelerations(
    kernels: Kernels, work: RunWorkspace, room: InitialisationWorkspace, state: State
) -> int:
    """Solve for ``a`` and multipliers ``lam``; ``room.mass`` is factorised, matrix in ``work``."""
    if _has_inertia(work, room, len(state.q)) == 0:
        return IRREGULAR
    if solve_accelerations(kernels, work, room.mass, state) != OK:
        return IRREGULAR
    t, q, v, a, lam = state.clock[0], state.q, state.v, state.a, state.lam
    n = len(work.x)
    if _note_known(kernels, work, room, state, v, work.zero, n) != OK:
        return IRREGULAR
    if evaluate_rates(kernels, work, t, q, v, a, lam) != OK:
        return IRREGULAR
    fine = _relative_rates(work, room, _speed(room, a), n) <= CONTRADICTION
    return OK if fine and largest(a) + largest(lam) <= 1e300 else IRREGULAR


@separate(
    types.int64(KERNELS, WORK, ROOM, STATE, REAL_ARRAY, REAL_ARRAY),
)
def assemble(
    kernels: Kernels,
    work: RunWorkspace,
    room: InitialisationWorkspace,
    state: State,
    q0: FloatArray,
    v0: FloatArray,
) -> int:
    """Compute consistent initial conditions from the guess ``q0, v0`` at the time of the state.

    Returns 0, or ``IRREGULAR``: then the state is invalid.
    """
    for i in range(len(q0)):
        state.q[i] = q0[i]
        state.v[i] = 0.0
        state.a[i] = 0.0
    for i in range(len(state.lam)):
        state.lam[i] = 0.0
    status = _as_stated(kernels, work, room, state, q0, v0)
    if status == OK:
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
