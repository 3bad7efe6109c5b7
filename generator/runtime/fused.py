"""What integrators ask of fused kernels: the same services as `newton` and `projections`."""

from numba import types

from mbdgen.runtime.abi import KERNELS, Kernels
from mbdgen.runtime.compiled import internal
from mbdgen.runtime.data import FloatArray
from mbdgen.runtime.equations import largest
from mbdgen.runtime.work import (
    FACTORISATIONS,
    KERNEL_FAILED,
    NEWTON,
    NOT_CONVERGED,
    OK,
    REAL_ARRAY,
    STATE,
    WORK,
    State,
    Work,
)

_NUMBER = types.float64

QUADRATIC = 1e-6
"""Newton's error after an increment of relative size ``e`` is of the order ``e^2``."""


@internal(
    types.int64(
        *(KERNELS, WORK, STATE, REAL_ARRAY, REAL_ARRAY),
        *(_NUMBER, _NUMBER, _NUMBER, _NUMBER),
        types.int64,
    )
)
def newton(
    kernels: Kernels,
    work: Work,
    state: State,
    q_known: FloatArray,
    v_known: FloatArray,
    t: float,
    c_q: float,
    c_v: float,
    tolerance: float,
    limit: int,
) -> int:
    """Find ``a, lam`` as `mbdgen.runtime.newton.solve_step` does.

    The matrix is exact, so an increment below the root of the tolerance leaves an error below the
    tolerance: the iteration that would only confirm it is not made.
    """
    q, v, a, lam, x = state.q, state.v, state.a, state.lam, work.solution
    n_q = len(q)
    w, p, m = work.weights, work.p, work.m
    w[0], w[1], w[2] = c_q, c_v, 1.0
    enough = min(QUADRATIC, tolerance**0.5)
    for i in range(n_q):
        q[i] = q_known[i] + c_q * a[i]
        v[i] = v_known[i] + c_v * a[i]
    for _ in range(limit):
        status = kernels.newton(
            t, q.ctypes, v.ctypes, a.ctypes, lam.ctypes, w.ctypes, p.ctypes, m.ctypes, x.ctypes
        )
        if status != 0:
            return KERNEL_FAILED
        work.counters[NEWTON] += 1
        work.counters[FACTORISATIONS] += 1
        increment = 0.0
        for i in range(n_q):
            a[i] += x[i]
            q[i] = q_known[i] + c_q * a[i]
            v[i] = v_known[i] + c_v * a[i]
            increment = max(increment, c_q * abs(x[i]))
        for i in range(len(lam)):
            lam[i] += x[n_q + i]
        if increment <= enough * (1.0 + largest(q)):
            return OK
    return NOT_CONVERGED


@internal(types.int64(KERNELS, WORK, STATE))
def make_consistent(kernels: Kernels, work: Work, state: State) -> int:
    """Put ``v`` on ``phi_dot = 0`` and find the accelerations and multipliers that belong to it."""
    q, v, a, lam, x = state.q, state.v, state.a, state.lam, work.solution
    n_q = len(q)
    status = kernels.consistent(
        state.clock[0],
        q.ctypes,
        v.ctypes,
        a.ctypes,
        lam.ctypes,
        work.weights.ctypes,
        work.p.ctypes,
        work.m.ctypes,
        x.ctypes,
    )
    if status != 0:
        return KERNEL_FAILED
    work.counters[FACTORISATIONS] += 1
    for i in range(n_q):
        v[i] = x[i]
        a[i] = x[n_q + i]
    for i in range(len(lam)):
        lam[i] = x[2 * n_q + i]
    return OK


@internal(types.int64(KERNELS, WORK, STATE, REAL_ARRAY))
def share_reactions(kernels: Kernels, work: Work, state: State, q_old: FloatArray) -> int:
    """Correct ``v`` along the reaction directions of an earlier position.

    See `mbdgen.runtime.projections.share_reactions`.
    """
    v, x = state.v, work.solution
    status = kernels.share(
        state.clock[0],
        state.q.ctypes,
        v.ctypes,
        q_old.ctypes,
        state.lam.ctypes,
        work.weights.ctypes,
        work.p.ctypes,
        work.m.ctypes,
        x.ctypes,
    )
    if status != 0:
        return KERNEL_FAILED
    work.counters[FACTORISATIONS] += 1
    for i in range(len(v)):
        v[i] = x[i]
    return OK
