"""Generalised-alpha for any formulation, in the form of Arnold and Bruels.

The formula, and what is kept between steps, is that of `mbdgen.runtime.alpha`.
"""

from numba import types

from mbdgen.runtime.abi import KERNELS, Kernels
from mbdgen.runtime.alpha import alpha_weights, begin_alpha, keep_alpha
from mbdgen.runtime.compiled import separate
from mbdgen.runtime.dense.ending import end_implicit
from mbdgen.runtime.dense.parts import PARTS, Parts
from mbdgen.runtime.dense.room import DENSE, Dense
from mbdgen.runtime.work import OK, STATE, WORK, State, Work

_REAL = types.float64


@separate(types.int64(KERNELS, WORK, STATE, *(_REAL,) * 4, types.int64, PARTS, DENSE))
def alpha_step(
    kernels: Kernels,
    work: Work,
    state: State,
    h: float,
    alpha_m: float,
    alpha_f: float,
    tolerance: float,
    limit: int,
    parts: Parts,
    dense: Dense,
) -> int:
    """Advance by one step."""
    q_known, v_known, s_known = work.scratch[0], work.scratch[1], work.scratch[2]
    c_q, c_v, c_s = alpha_weights(alpha_m, alpha_f, h)
    begin_alpha(work, state, h, alpha_m, alpha_f, q_known, v_known, s_known)
    status = parts.solve(
        parts.eliminate,
        parts.complete,
        kernels,
        work,
        state,
        dense,
        q_known,
        v_known,
        state.clock[0] + h,
        c_q,
        c_v,
        tolerance,
        limit,
    )
    if status == OK:
        status = end_implicit(kernels, work, state, dense, parts)
    if status == OK:
        keep_alpha(work, state, h, c_s, s_known)
    return status
