"""Finalisation of a sensitivity step: projections, accelerations, recording, with variations.

A projection changes a vector by ``d``, where ``[M, -G^T; H, 0] [d; mu] = [0; -violation]``. With
the known ``d`` and ``mu`` its variation is

``[M, -G^T; H, 0] [dd; dmu] = -[dM d - dG^T mu; variation of the violation that is left]``
"""

from mbdgen.runtime.linalg.linear_solver import multiply, solve
from mbdgen.runtime.monitors.recorder import (
    INTERVAL,
    SUBSTEP,
    Progress,
    add_work,
)
from mbdgen.runtime.monitors.work_quadrature import WORK_DONE, begin_anew
from mbdgen.runtime.program.compiled_functions import internal, separate
from mbdgen.runtime.program.kernel_abi import KERNELS, Kernels
from mbdgen.runtime.sensitivities.variation_steps import (
    direct,
    place,
    vary_accelerations,
    vary_mass,
    vary_rates,
)
from mbdgen.runtime.sensitivities.variation_workspace import VARIATIONS, Variations
from mbdgen.runtime.solvers.constraint_projections import (
    continue_accelerations,
    continue_velocity,
    oppose,
)
from mbdgen.runtime.system.kernel_calls import (
    call,
    evaluate_rates,
    factorise_mass,
    largest_constraint,
)
from mbdgen.runtime.system.run_workspace import OK, STATE, WORK, RunWorkspace, State
from mbdgen.subset import types

_ARGUMENTS = (KERNELS, WORK, VARIATIONS, STATE)


@separate(types.int64(*_ARGUMENTS))
def share_varied(kernels: Kernels, work: RunWorkspace, room: Variations, state: State) -> int:
    """Do what `rattle_velocity_correction` does, with variations.

    It solves once with ``eps`` in the matrix, and so do the variations.
    """
    t, q, v, a, lam = state.clock[0], state.q, state.v, state.a, state.lam
    before = largest_constraint(work, work.rates, 0)
    oppose(work, work.rates, 0)
    solve(room.mass, work.rhs, room.correction)
    for i in range(len(v)):
        v[i] += room.correction[i]
    status = evaluate_rates(kernels, work, t, q, v, a, lam)
    if status != OK:
        return status
    if not largest_constraint(work, work.rates, 0) <= 0.5 * before:
        for i in range(len(v)):
            v[i] -= room.correction[i]
        return evaluate_rates(kernels, work, t, q, v, a, lam)
    place(room, state)
    for i in range(len(v)):
        room.at_v[i] -= room.correction[i]
    for k in range(len(room.p)):
        direct(room, k, room.new_q, room.new_v, room.still, room.calm)
        if status == OK:
            status = vary_rates(kernels, work, room, t, k)
        multiply(work.indptr, work.indices, room.mass_changes[k], room.correction, room.rhs)
        for i in range(len(room.rhs)):
            room.rhs[i] = -room.rhs[i]
        for row in work.rows:
            room.rhs[row] -= room.rates[row]
        solve(room.mass, room.rhs, room.x)
        for i in range(len(v)):
            room.new_v[k, i] += room.x[i]
    return status


@separate(types.int64(*_ARGUMENTS))
def project_varied(kernels: Kernels, work: RunWorkspace, room: Variations, state: State) -> int:
    """Bring ``v`` onto ``phi_dot = 0``, with variations; ``work.rates`` belong to the state."""
    t, v = state.clock[0], state.v
    oppose(work, work.rates, 0)
    solve(room.mass, work.rhs, room.correction)  # what it will be, with its multipliers
    status = continue_velocity(kernels, work, room.mass, state)
    place(room, state)
    for k in range(len(room.p)):
        direct(room, k, room.new_q, room.new_v, room.still, room.calm)
        if status == OK:
            status = vary_rates(kernels, work, room, t, k)
        multiply(work.indptr, work.indices, room.mass_changes[k], room.correction, room.rhs)
        for i in range(len(room.rhs)):
            room.rhs[i] = -room.rhs[i]
        for row in work.rows:
            room.rhs[row] = -room.rates[row]
        solve(room.mass, room.rhs, room.x)
        for i in range(len(v)):
            room.new_v[k, i] += room.x[i]
    return status


@separate(types.int64(*_ARGUMENTS))
def project_sensitive_step_end(
    kernels: Kernels, work: RunWorkspace, room: Variations, state: State
) -> int:
    """Make velocities and accelerations at the end of a step consistent, with variations.

    ``work.rates`` belong to the state, ``new_q`` and ``new_v`` are its variations.
    """
    status = factorise_mass(kernels, work, room.mass, state, state.clock[0])
    if status == OK:
        status = vary_mass(kernels, work, room, state, room.new_q, room.new_v)
    if status == OK:
        status = project_varied(kernels, work, room, state)
    if status == OK:
        status = continue_accelerations(kernels, work, room.mass, state)
    if status == OK:
        status = vary_accelerations(kernels, work, room, state)
    return status


@internal
def _commit(room: Variations) -> None:
    """Make the variations at the end of a step those of the beginning of the next."""
    for k in range(len(room.p)):
        for i in range(room.q.shape[1]):
            room.q[k, i], room.v[k, i] = room.new_q[k, i], room.new_v[k, i]
            room.a[k, i], room.kept[k, i] = room.new_a[k, i], room.new_kept[k, i]
        for i in range(room.lam.shape[1]):
            room.lam[k, i] = room.new_lam[k, i]


@internal
def _note(
    kernels: Kernels, work: RunWorkspace, room: Variations, t: float, k: int, row: int
) -> int:
    """Record the variations by parameter ``k``, whose energies are in the workspace."""
    at = room
    for i in range(at.q.shape[1]):
        at.rows_q[k, row, i], at.rows_v[k, row, i] = at.q[k, i], at.v[k, i]
        at.rows_a[k, row, i] = at.a[k, i]
    for i in range(at.lam.shape[1]):
        at.rows_lam[k, row, i] = at.lam[k, i]
    at.rows_energies[k, row, 0] = at.energies[0]
    at.rows_energies[k, row, 1] = at.energies[1]
    at.rows_energies[k, row, 2] = at.numbers[k, WORK_DONE]
    kernel, p, out = kernels.outputs_variation, work.p, at.rows_outputs[k, row]
    return call(kernel, t, at.at_q, at.at_v, at.at_a, at.at_lam, at.p[k], p, work.m, out)


@separate(types.int64(*_ARGUMENTS, types.float64))
def finish(kernels: Kernels, work: RunWorkspace, room: Variations, state: State, h: float) -> int:
    """Keep the variations of a step of length ``h``; the first call, with zero, begins a run.

    They are recorded where the motion is: at the end of an interval.
    """
    _commit(room)
    t, at, position, status = state.clock[0], room, room.position, OK
    row, is_end = position[INTERVAL] + 1, h != 0.0
    if is_end:
        is_end = position[SUBSTEP] + 1 == room.substeps[position[INTERVAL]]
    else:
        row = 0
    place(room, state)
    for k in range(len(room.p)):
        direct(room, k, room.q, room.v, room.a, room.lam)
        if status == OK:
            kernel, p, out = kernels.energies_variation, work.p, at.energies
            status = call(kernel, t, at.at_q, at.at_v, at.at_a, at.at_lam, at.p[k], p, work.m, out)
        if h == 0.0:
            begin_anew(at.numbers[k], at.energies[2])
        else:
            add_work(Progress(position, at.numbers[k]), h, at.energies[2])
        if status == OK and (is_end or row == 0):
            status = _note(kernels, work, room, t, k, row)
    return status


@separate(types.int64(*_ARGUMENTS))
def begin(kernels: Kernels, work: RunWorkspace, room: Variations, state: State) -> int:
    """Begin a run: the variations ``new_q``, ... of a consistent state are known."""
    status = factorise_mass(kernels, work, room.mass, state, state.clock[0])
    if status == OK:
        status = vary_mass(kernels, work, room, state, room.new_q, room.new_v)
    if status == OK:
        status = finish(kernels, work, room, state, 0.0)
    return status
