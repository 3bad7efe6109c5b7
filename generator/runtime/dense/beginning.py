"""Derivatives of accelerations at the beginning of a motion, from slopes around it."""

from numba import types

from mbdgen.runtime.abi import KERNELS, Kernels
from mbdgen.runtime.compiled import internal, separate
from mbdgen.runtime.dense.ending import pack
from mbdgen.runtime.dense.parts import PARTS, Parts, slope_at
from mbdgen.runtime.dense.prediction import displace, predict
from mbdgen.runtime.dense.room import DENSE, Dense
from mbdgen.runtime.work import OK, STATE, WORK, State, Work

PART = 0.125
"""Of a step, at which slopes before and after the beginning are compared."""


@internal
def _continue(dense: Dense, n_q: int, known: int, tau: float) -> None:
    """``dense.y <-`` the Taylor polynomial at ``tau`` of the motion that is in the last row."""
    y, start = dense.y, dense.rows[-1]
    for i in range(len(y)):
        y[i] = start[i]
    displace(dense.rows, known, tau, y[:n_q])
    predict(dense.rows, 0, known, tau, n_q, y)


@separate(types.int64(KERNELS, WORK, STATE, types.float64, types.int64, PARTS, DENSE))
def begin_derivatives(
    kernels: Kernels, work: Work, state: State, h: float, n: int, parts: Parts, dense: Dense
) -> int:
    """Rows ``1 .. n - 1 <-`` derivatives of row 0, the slope at the state; ``n`` is at most 3.

    ``w_2 = (w_1(tau) - w_1(-tau)) / 2 tau`` and ``w_3 = (w_1(tau) - 2 w_1 + w_1(-tau)) / tau^2``
    along a Taylor polynomial that gets ``w_2`` when it is known. The rest is scratch of a step.
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
