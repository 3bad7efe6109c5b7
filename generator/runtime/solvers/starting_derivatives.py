"""Starting derivatives of accelerations at the initial state, by finite differences of slopes."""

from mbdgen.runtime.program.compiled_functions import internal, separate
from mbdgen.runtime.program.kernel_abi import KERNELS, Kernels
from mbdgen.runtime.solvers.dense_workspace import DENSE, DenseWorkspace
from mbdgen.runtime.solvers.scheme_functions import PARTS, SchemeFunctions, slope_at
from mbdgen.runtime.solvers.step_finalisation import pack
from mbdgen.runtime.steps.taylor_prediction import displace, predict
from mbdgen.runtime.system.run_workspace import OK, STATE, WORK, RunWorkspace, State
from mbdgen.subset import types

PART = 0.125
"""Fraction of a step used as the increment of these finite differences."""


@internal
def _continue(dense: DenseWorkspace, n_q: int, known: int, tau: float) -> None:
    """``dense.y <-`` Taylor polynomial at ``tau`` of the motion stored in the last row."""
    y, start = dense.y, dense.rows[-1]
    for i in range(len(y)):
        y[i] = start[i]
    displace(dense.rows, known, tau, y[:n_q])
    predict(dense.rows, 0, known, tau, n_q, y)


@separate(types.int64(KERNELS, WORK, STATE, types.float64, types.int64, PARTS, DENSE))
def begin_derivatives(
    kernels: Kernels,
    work: RunWorkspace,
    state: State,
    h: float,
    n: int,
    parts: SchemeFunctions,
    dense: DenseWorkspace,
) -> int:
    """Rows ``1 .. n - 1 <-`` derivatives of row 0, the slope at the state; ``n`` is at most 3.

    ``w_2 = (w_1(tau) - w_1(-tau)) / 2 tau`` and ``w_3 = (w_1(tau) - 2 w_1 + w_1(-tau)) / tau^2``
    along a Taylor polynomial that includes ``w_2`` once it is known. Other rows are workspace.
    """
    rows, n_q, t, tau = dense.rows, len(state.q), state.clock[0], PART * h
    before, after, start = rows[n + 1], rows[n + 2], rows[-1]
    if n < 2:
        return OK
    pack(state, dense, start)
    for known in range(1, n):
        for sign in range(2):
            moved, out = (-tau, before) if sign == 0 else (tau, after)
            _continue(dense, n_q, known, moved)
            status = slope_at(kernels, work, state, dense, parts, t + moved, dense.y, out)
            if status != OK:
                return status
        for i in range(n_q, len(start)):
            rows[1, i] = (after[i] - before[i]) / (2.0 * tau)
            if known == 2:
                rows[2, i] = (after[i] - 2.0 * rows[0, i] + before[i]) / (tau * tau)
    return slope_at(kernels, work, state, dense, parts, t, start, before)
