"""Step of DIMCD: central differences, position-level constraints only, reactions eliminated.

``v = v_k + c_v (x+ - x)`` and ``a = a_k + c_a (x+ - x)`` are those of the parabola through the
positions before, at and after ``t``; equilibrium holds at ``t``, the constraints at ``t + h``:

``x+ <- x+ + p + N_H alpha``,  ``N_G^T A N_H alpha = -N_G^T (r + A p)``,  ``A = c_a M + c_v C``

Nonholonomic constraints are treated in `mbdgen.runtime.steps.dimcd_velocities`.

Velocities of an instant need the position after it. The step therefore runs one position ahead: row
0 of the workspace has the position before the state, row 1 the one after it, and the times of the
rows are the intervals to them.
"""

from mbdgen.runtime.program.compiled_functions import internal, separate
from mbdgen.runtime.program.kernel_abi import KERNELS, Kernels
from mbdgen.runtime.solvers.dense_workspace import DenseWorkspace
from mbdgen.runtime.solvers.scheme_functions import SchemeFunctions, general_step
from mbdgen.runtime.steps.dimcd_null_spaces import (
    SPACES,
    Spaces,
    find_reactions,
    linearise_constraints,
    new_spaces,
    project_equilibrium,
    solve_reduced,
    take_reactions_out,
)
from mbdgen.runtime.steps.multistep_history import same_step
from mbdgen.runtime.system.kernel_calls import largest
from mbdgen.runtime.system.run_workspace import (
    NEWTON,
    NOT_CONVERGED,
    NOT_FINITE,
    OK,
    REAL_ARRAY,
    STATE,
    WORK,
    RunWorkspace,
    State,
)
from mbdgen.runtime.system.system_data import FloatArray
from mbdgen.runtime.system.unit_vectors import normalise
from mbdgen.subset import types

# Indices of the options.
PREDICTOR, STOP, SPLIT, TOLERANCE, LIMIT = range(5)
# Rows of the workspace.
V_KNOWN, A_KNOWN, BEHIND, AHEAD = range(4)
ULPS = 4e-15

_REAL = types.float64


@internal
def _differences(work: RunWorkspace, state: State, before: float, h: float) -> tuple[float, float]:
    """Write ``v_k`` and ``a_k``, and return ``c_v`` and ``c_a``.

    Without a position before the state, a fictitious one that reproduces the velocity of the state
    is used: ``x- = x+ - 2 h v``.
    """
    q, v, v_known, a_known = state.q, state.v, work.scratch[V_KNOWN], work.scratch[A_KNOWN]
    behind = work.scratch[BEHIND]
    if before == 0.0:
        for i in range(len(q)):
            v_known[i] = v[i]
            a_known[i] = -2.0 * v[i] / h
        return 0.0, 2.0 / (h * h)
    both = before + h
    for i in range(len(q)):
        rate = (q[i] - behind[i]) / before
        v_known[i] = rate * h / both
        a_known[i] = -2.0 * rate / both
    return before / (h * both), 2.0 / (h * both)


@internal
def _predict(work: RunWorkspace, state: State, before: float, h: float, predictor: int) -> None:
    """Predict the next position; the state still has the rates of the previous instant."""
    q, v, a = state.q, state.v, state.a
    behind, ahead = work.scratch[BEHIND], work.scratch[AHEAD]
    for i in range(len(q)):
        line = h * v[i] if before == 0.0 else h / before * (q[i] - behind[i])
        if predictor == 0:
            ahead[i] = q[i]
        elif predictor == 1 and before != 0.0:
            ahead[i] = behind[i] + (before + h) * v[i]
        elif predictor <= 2:
            ahead[i] = q[i] + line
        else:
            ahead[i] = q[i] + line + 0.5 * h * (before + h) * a[i]


@internal
def _take_rates(work: RunWorkspace, state: State, c_v: float, c_a: float) -> None:
    """``v = v_k + c_v (x+ - x)``, ``a = a_k + c_a (x+ - x)``."""
    v_known, a_known, ahead = work.scratch[V_KNOWN], work.scratch[A_KNOWN], work.scratch[AHEAD]
    for i in range(len(state.q)):
        d = ahead[i] - state.q[i]
        state.v[i] = v_known[i] + c_v * d
        state.a[i] = a_known[i] + c_a * d


@internal
def _move(work: RunWorkspace, change: FloatArray, ahead: FloatArray) -> float:
    """``x+ <- x+ + change``, unit vectors normalised; return the largest change."""
    for i in range(len(ahead)):
        ahead[i] += change[i]
    normalise(work.unit_blocks, ahead)
    return largest(change)


@separate(types.int64(KERNELS, WORK, STATE, SPACES, _REAL, _REAL, _REAL, REAL_ARRAY))
def _iterate(
    kernels: Kernels,
    work: RunWorkspace,
    state: State,
    spaces: Spaces,
    h: float,
    c_v: float,
    c_a: float,
    options: FloatArray,
) -> int:
    """Solve for the next position by Newton's method; velocities and accelerations follow."""
    ahead = work.scratch[AHEAD]
    by_velocity = options[STOP] > 0.5 and c_v != 0.0
    for k in range(len(state.lam)):
        state.lam[k] = 0.0
    for _ in range(int(options[LIMIT])):
        _take_rates(work, state, c_v, c_a)
        split = options[SPLIT] > 0.5
        status = project_equilibrium(kernels, work, state, spaces, c_v, c_a, split)
        if status == OK:
            status = linearise_constraints(kernels, work, state, spaces, h, c_v, ahead)
        if status == OK:
            status = solve_reduced(spaces)
        if status != OK:
            return status
        work.counters[NEWTON] += 1
        size = _move(work, spaces.change, ahead)
        if not size <= 1e300:
            return NOT_FINITE
        scale = 1.0 + largest(state.q)
        small = size <= options[TOLERANCE] * scale
        if by_velocity:
            small = abs(c_v) * size <= options[TOLERANCE] * (1.0 + largest(state.v))
        if small or size <= ULPS * scale:
            _take_rates(work, state, c_v, c_a)
            return OK
    return NOT_CONVERGED


@separate(types.int64(KERNELS, WORK, STATE, SPACES, _REAL, _REAL, REAL_ARRAY))
def look_ahead(
    kernels: Kernels,
    work: RunWorkspace,
    state: State,
    spaces: Spaces,
    before: float,
    h: float,
    options: FloatArray,
) -> int:
    """Solve for the position at ``t + h``, and with it ``v``, ``a`` and ``lam`` of the state."""
    status = take_reactions_out(kernels, work, state, spaces)
    if status != OK:
        return status
    _predict(work, state, before, h, int(options[PREDICTOR]))
    c_v, c_a = _differences(work, state, before, h)
    status = _iterate(kernels, work, state, spaces, h, c_v, c_a, options)
    return status if status != OK else find_reactions(kernels, work, state, spaces)


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
    """Advance by one step; see `mbdgen.runtime.integrators.dimcd`.

    In the first step, and after a change of the step size, the position after the state is unknown
    or belongs to another instant: it is computed first.
    """
    q, behind, ahead = state.q, work.scratch[BEHIND], work.scratch[AHEAD]
    spaces = new_spaces(work, dense)
    for i in range(len(q)):
        behind[i], ahead[i] = dense.rows[0, i], dense.rows[1, i]
    if not same_step(dense.times[1], h):
        status = look_ahead(kernels, work, state, spaces, dense.times[0], h, options)
        if status != OK:
            return status
    for i in range(len(q)):
        behind[i] = q[i]
        q[i] = ahead[i]
    state.clock[0] += h
    status = look_ahead(kernels, work, state, spaces, h, h, options)
    if status != OK:
        return status
    for i in range(len(q)):
        dense.rows[0, i], dense.rows[1, i] = behind[i], ahead[i]
    dense.times[0] = dense.times[1] = h
    return OK
