"""Step of explicit Runge-Kutta methods with fused kernels and pointers.

The equations are those of `mbdgen.runtime.steps.runge_kutta_step`.
"""

from typing import Any

from mbdgen.runtime.linalg.vector_sums import combine, move
from mbdgen.runtime.program.compiled_functions import internal
from mbdgen.runtime.program.pointers import behind, integers, reals
from mbdgen.runtime.solvers.constraint_projections import PASSES, ROUND_OFF, TOLERATED
from mbdgen.runtime.stepping.fused_context import (
    ACCELERATIONS,
    BLOCKS,
    CLOCK,
    CONSISTENT,
    COUNTERS,
    LAM,
    LANES,
    N_LAM,
    N_Q,
    NEW,
    RETRACT,
    SCRATCH,
    STAGES,
    A,
    Q,
    V,
    X,
)
from mbdgen.runtime.stepping.fused_loop import evaluate, lean_step
from mbdgen.runtime.system.run_workspace import FACTORISATIONS, KERNEL_FAILED, NOT_CONVERGED, OK

CONTRACTION = 1e-4
"""Expected contraction of a constraint violation by one correction, until it is measured."""


@internal
def size_of(q: Any, n: int) -> float:
    """``1 + max |q|``, the reference for violations of position constraints."""
    top = 0.0
    for i in range(n):
        top = max(top, abs(q[i]))
    return 1.0 + top


@internal
def project_fused_step_end(context: Any, t: float, factors: Any) -> int:
    """Project the end of a step onto the constraints and make it the state.

    The first two vectors of the workspace are position and velocity; ``factors`` are those of
    a neighbouring position. `consistent` solves for velocity, accelerations and multipliers and
    returns the violation at its position: it is called as soon as the next correction is expected
    to be the last, and again if that was wrong.
    """
    n_q, n_lam, blocks = context[N_Q], context[N_LAM], context[BLOCKS]
    scratch, out = context[SCRATCH], context[NEW]
    q, v = reals(scratch), reals(scratch + 8 * LANES * blocks)
    d, new = reals(context[X]), reals(out)
    enough, scaled = ROUND_OFF, False
    before, rest, known = 1e300, CONTRACTION, False
    for k in range(PASSES):
        if evaluate(RETRACT, context, t, q, v, factors, d) != 0:
            return KERNEL_FAILED
        size = d[n_q]
        if size > enough and not scaled:
            enough, scaled = ROUND_OFF * size_of(q, n_q), True
        if not size < 0.5 * before:
            break
        if k > 0:
            rest = size / before
        before, known = size, False
        if size > enough:
            for i in range(n_q):
                q[i] += d[i]
        if size * rest <= enough:
            if evaluate(CONSISTENT, context, t, q, v, d, new) != 0:
                return KERNEL_FAILED
            known = True
            if new[2 * n_q + n_lam] <= enough:
                break
    if not known and evaluate(CONSISTENT, context, t, q, v, d, new) != 0:
        return KERNEL_FAILED
    violation = new[2 * n_q + n_lam]
    if not violation <= ROUND_OFF and not violation <= TOLERATED * size_of(q, n_q):
        return NOT_CONVERGED
    move(reals(context[Q]), blocks, q)
    move(reals(context[V]), blocks, new)
    move(reals(context[A]), blocks, reals(out + 8 * n_q))
    lam = reals(context[LAM])
    for i in range(n_lam):
        lam[i] = new[2 * n_q + i]
    return OK


@lean_step
def step(context: Any, h: float, options: Any) -> int:
    """Advance by one step; on failure the state is unchanged.

    After the slope of a stage its kernel stores factors; the next stage overwrites them.
    """
    n_q, blocks, t = context[N_Q], context[BLOCKS], reals(context[CLOCK])[0]
    q, v, slopes = reals(context[Q]), reals(context[V]), context[STAGES]
    size = 8 * LANES * blocks
    q_new, v_new = reals(context[SCRATCH]), reals(context[SCRATCH] + size)
    k, row, stages = reals(slopes), 1, int(options[0])
    move(k, blocks, reals(context[A]))
    for stage in range(1, stages + 1):
        c = options[row]
        of_q = behind(options, row + 1)
        of_v = behind(options, row + 1 + stage)
        combine(q_new, blocks, q, c * h, v, h * h, of_q, stage, k)
        combine(v_new, blocks, v, 0.0, v, h, of_v, stage, k)
        row += 1 + 2 * stage
        if stage < stages:
            slope = reals(slopes + stage * size)
            if evaluate(ACCELERATIONS, context, t + c * h, q_new, v_new, k, slope) != 0:
                return KERNEL_FAILED
    integers(context[COUNTERS])[FACTORISATIONS] += stages
    return project_fused_step_end(context, t + h, reals(slopes + (stages - 1) * size + 8 * n_q))
