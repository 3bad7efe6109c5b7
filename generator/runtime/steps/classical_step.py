"""Classical central difference method: velocities and accelerations are differences of positions.

``a = (q+ - 2 q + q-) / h^2``,  ``v = (q+ - q-) / 2 h``,  ``a = g(t, q, v)``

Cancellation: the round-off errors of these differences grow as ``h^-1`` and ``h^-2``, which limits
the accuracy attainable with small steps.
"""

from mbdgen.runtime.program.compiled_functions import separate
from mbdgen.runtime.program.kernel_abi import KERNELS, Kernels
from mbdgen.runtime.solvers.dense_workspace import DENSE, PROJECTS, DenseWorkspace
from mbdgen.runtime.solvers.scheme_functions import PARTS, SchemeFunctions
from mbdgen.runtime.solvers.step_finalisation import end_at_slope, pack
from mbdgen.runtime.solvers.velocity_iteration import solve_velocities
from mbdgen.runtime.steps.multistep_history import same_step
from mbdgen.runtime.system.run_workspace import OK, STATE, WORK, RunWorkspace, State
from mbdgen.subset import types

_NUMBER = types.float64


@separate(types.int64(KERNELS, WORK, STATE, _NUMBER, _NUMBER, types.int64, PARTS, DENSE))
def classical_step(
    kernels: Kernels,
    work: RunWorkspace,
    state: State,
    h: float,
    tolerance: float,
    limit: int,
    parts: SchemeFunctions,
    dense: DenseWorkspace,
) -> int:
    """Advance by one step.

    Row 1 contains the position after the state, which the difference for its velocity required, if
    the step size is that of the last step. Otherwise ``q+ = q + h v + h^2/2 a``, which is the same
    by elimination of ``q-``. The variables ``z`` of a formulation follow the trapezoidal rule.
    """
    rows, y, n_q = dense.rows, dense.y, len(state.q)
    following, slope, start, first, known = rows[1], rows[2], rows[3], rows[4], rows[5]
    pack(state, dense, start)
    if not same_step(dense.times[1], h):
        for i in range(n_q):
            following[i] = start[i] + h * rows[0, i] + 0.5 * h * h * rows[0, n_q + i]
    for i in range(n_q):
        y[i] = following[i]
        known[n_q + i] = (y[i] - start[i]) / h
    for i in range(n_q, len(y)):
        first[i] = start[i] + h * rows[0, i]
    for i in range(2 * n_q, len(y)):
        known[i] = start[i] + 0.5 * h * rows[0, i]
    t = state.clock[0] + h
    no_jerk = slope[:0]
    status = solve_velocities(
        kernels,
        work,
        state,
        parts,
        dense,
        t,
        first,
        known,
        slope,
        no_jerk,
        0.5 * h,
        tolerance,
        limit,
    )
    if status != OK:
        return status
    for i in range(n_q):
        following[i] = 2.0 * y[i] - start[i] + h * h * slope[n_q + i]
        y[n_q + i] = (following[i] - start[i]) / (2.0 * h)
    # A projection changes the position: the next position belongs to the one before.
    dense.times[1] = h if dense.sizes[PROJECTS] == 0 else 0.0
    return end_at_slope(kernels, work, state, dense, parts, slope)
