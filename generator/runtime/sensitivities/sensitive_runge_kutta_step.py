"""Runge-Kutta steps with forward sensitivities; see `mbdgen.runtime.steps.runge_kutta_step`."""

from mbdgen.runtime.linalg.linear_solver import Factors, multiply
from mbdgen.runtime.program.compiled_functions import separate
from mbdgen.runtime.program.kernel_abi import KERNELS, Kernels
from mbdgen.runtime.sensitivities.sensitive_step_end import finish, project_sensitive_step_end
from mbdgen.runtime.sensitivities.variation_steps import (
    direct,
    place,
    solve_exactly,
    vary_accelerations,
    vary_mass,
    vary_residual,
)
from mbdgen.runtime.sensitivities.variation_workspace import VARIATIONS, Variations, varied_step
from mbdgen.runtime.solvers.constraint_projections import find_accelerations, project_position
from mbdgen.runtime.steps.runge_kutta_step import add_multiples
from mbdgen.runtime.system.kernel_calls import call, evaluate_rates, factorise_mass
from mbdgen.runtime.system.run_workspace import (
    LEFT,
    NOT_CONVERGED,
    OK,
    STATE,
    WORK,
    RunWorkspace,
    State,
)
from mbdgen.runtime.system.system_data import FloatArray
from mbdgen.subset import types


@separate(types.int64(KERNELS, WORK, VARIATIONS, STATE))
def _vary_position(kernels: Kernels, work: RunWorkspace, room: Variations, state: State) -> int:
    """Vary a change ``d = q - before`` with ``M d = G^T mu``, ``phi(before + d) = 0``.

    ``M`` and ``G`` are those of the position that the factors belong to, the violation has the
    derivative ``H`` of the new one: rows of two matrices. Along equations of velocities, too,
    ``d`` rolls at the former position.
    """
    t, q, v, a, lam, n_q = state.clock[0], state.q, state.v, state.a, state.lam, len(state.q)
    x, rhs = room.x, room.rhs
    for i in range(len(x)):
        x[i] = q[i] - room.before[i] if i < n_q else 0.0
    multiply(work.indptr, work.indices, room.mass_values, x, rhs)
    for i in range(len(x)):
        rhs[i] *= room.is_constraint[i]
    solve_exactly(work, room.mass, room.mass_values, rhs, room.correction)
    work.weights[0], work.weights[1], work.weights[2] = 0.0, 0.0, 1.0
    status = call(kernels.mass, t, q, v, a, lam, work.weights, work.p, work.m, room.values)
    for i in range(len(room.values)):
        row = work.indices[i]
        if room.is_constraint[row] == 0 or work.holonomic[row] == 0.0:
            room.values[i] = room.mass_values[i]
    place(room, state)
    for k in range(len(room.p)):
        direct(room, k, room.new_q, room.new_v, room.still, room.calm)
        if status == OK:
            status = vary_residual(kernels, work, room, t, k)
        multiply(work.indptr, work.indices, room.mass_changes[k], room.correction, rhs)
        for i in range(len(rhs)):
            rhs[i] = -rhs[i]
        for row in work.rows:
            if work.holonomic[row] != 0.0:
                rhs[row] = -room.residual[row]
        solve_exactly(work, room.mass, room.values, rhs, x)
        for i in range(n_q):
            room.new_q[k, i] += x[i]
    return status


@separate(types.int64(KERNELS, WORK, VARIATIONS, STATE))
def _project_position(kernels: Kernels, work: RunWorkspace, room: Variations, state: State) -> int:
    """Bring the end of a step onto ``phi = 0`` as `step` does."""
    q, before = state.q, room.before
    for i in range(len(q)):
        before[i] = q[i]
    status = project_position(kernels, work, room.mass, state)
    if status == NOT_CONVERGED:
        for i in range(len(q)):
            q[i] = before[i]
        status = factorise_mass(kernels, work, room.mass, state, state.clock[0])
        if status == OK:
            status = vary_mass(kernels, work, room, state, room.new_q, room.new_v)
        if status == OK:
            status = project_position(kernels, work, room.mass, state)
    return status if status != OK else _vary_position(kernels, work, room, state)


@varied_step
def step(
    kernels: Kernels,
    work: RunWorkspace,
    state: State,
    h: float,
    options: FloatArray,
    tangent: Factors,
    room: Variations,
) -> int:
    """Advance motion and variations by one step."""
    q, v, a, n_q, count = state.q, state.v, state.a, len(state.q), len(room.p)
    q_old, v_old, slopes = work.scratch[0], work.scratch[1], work.scratch[2:]
    t, stages, at = state.clock[0], int(options[0]), 1
    for i in range(n_q):
        q_old[i], v_old[i], slopes[0, i] = q[i], v[i], a[i]
    for k in range(count):
        for i in range(n_q):
            room.slopes[0, k, i] = room.a[k, i]
    for stage in range(1, stages + 1):
        c = options[at]
        for i in range(n_q):
            q[i] = q_old[i] + c * h * v_old[i]
            v[i] = v_old[i]
        for k in range(count):
            for i in range(n_q):
                room.new_q[k, i] = room.q[k, i] + c * h * room.v[k, i]
                room.new_v[k, i] = room.v[k, i]
        for j in range(stage):
            of_q, of_v = h * h * options[at + 1 + j], h * options[at + 1 + stage + j]
            add_multiples(slopes[j], of_q, q, of_v, v)
            for k in range(count):
                add_multiples(room.slopes[j, k], of_q, room.new_q[k], of_v, room.new_v[k])
        at += 1 + 2 * stage
        state.clock[0] = t + c * h
        if stage == stages:
            break
        status = factorise_mass(kernels, work, room.mass, state, t + c * h)
        if status == OK:
            status = vary_mass(kernels, work, room, state, room.new_q, room.new_v)
        if status == OK:
            status = find_accelerations(kernels, work, room.mass, state)
        if status == OK:
            status = vary_accelerations(kernels, work, room, state)
        if status != OK:
            return status
        for i in range(n_q):
            slopes[stage, i] = a[i]
        for k in range(count):
            for i in range(n_q):
                room.slopes[stage, k, i] = room.new_a[k, i]
    status = _project_position(kernels, work, room, state)
    if status == OK:
        status = evaluate_rates(kernels, work, t + h, q, v, a, state.lam)
    if status == OK:
        status = project_sensitive_step_end(kernels, work, room, state)
    work.memory[LEFT] = 1.0
    return status if status != OK else finish(kernels, work, room, state, h)
