"""Collocation methods for any formulation: Newmark's formula up to an instant beyond the step.

With ``T = theta h`` the equations hold at ``t + T``, where

``q = q_n + T v_n + T^2 ((1/2 - beta) a_n + beta a)``,  ``v = v_n + T ((1 - gamma) a_n + gamma a)``

Accelerations are linear in between, ``a+ = a_n + (a - a_n)/theta``, and the same formula with ``h``
and ``a+`` gives the end of the step. ``theta = 1`` is Newmark's method.
"""

from numba import types

from mbdgen.runtime.abi import KERNELS, Kernels
from mbdgen.runtime.compiled import internal, separate
from mbdgen.runtime.data import FloatArray
from mbdgen.runtime.dense.ending import end_implicit
from mbdgen.runtime.dense.parts import PARTS, Parts
from mbdgen.runtime.dense.room import DENSE, Dense
from mbdgen.runtime.work import OK, STATE, WORK, State, Work

_REAL = types.float64


@internal
def newmark_known(
    state: State, h: float, beta: float, gamma: float, q_known: FloatArray, v_known: FloatArray
) -> None:
    """Fill in what the formula knows before ``a``, whose weights are ``beta h^2``, ``gamma h``."""
    for i in range(len(state.a)):
        q_known[i] = state.q[i] + h * state.v[i] + h * h * (0.5 - beta) * state.a[i]
        v_known[i] = state.v[i] + h * (1.0 - gamma) * state.a[i]


@separate(types.int64(KERNELS, WORK, STATE, *(_REAL,) * 5, types.int64, PARTS, DENSE))
def collocation_step(
    kernels: Kernels,
    work: Work,
    state: State,
    h: float,
    theta: float,
    beta: float,
    gamma: float,
    tolerance: float,
    limit: int,
    parts: Parts,
    dense: Dense,
) -> int:
    """Advance by one step."""
    a, lam, t, far = state.a, state.lam, state.clock[0], theta * h
    q_known, v_known, q_end, v_end = (
        work.scratch[0],
        work.scratch[1],
        work.scratch[2],
        work.scratch[3],
    )
    a_old, lam_old = a.copy(), lam.copy()
    newmark_known(state, h, beta, gamma, q_end, v_end)
    newmark_known(state, far, beta, gamma, q_known, v_known)
    status = parts.solve(
        parts.eliminate,
        parts.complete,
        kernels,
        work,
        state,
        dense,
        q_known,
        v_known,
        t + far,
        beta * far * far,
        gamma * far,
        tolerance,
        limit,
    )
    if status != OK:
        return status
    if theta != 1.0:
        for k in range(len(lam)):
            lam[k] = lam_old[k] + (lam[k] - lam_old[k]) / theta
        for i in range(len(a)):
            a[i] = a_old[i] + (a[i] - a_old[i]) / theta
            state.q[i] = q_end[i] + beta * h * h * a[i]
            state.v[i] = v_end[i] + gamma * h * a[i]
        state.clock[0] = t + h
    return end_implicit(kernels, work, state, dense, parts)
