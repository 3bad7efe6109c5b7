"""Step of Newmark's method with fused kernels and pointers (`mbdgen.runtime.integrators.newmark`).

One long function: all its parts work on the same dozen pointers.
"""

from typing import Any

from mbdgen.runtime.program.pointers import integers, reals
from mbdgen.runtime.stepping.fused_context import (
    CLOCK,
    CONSISTENT,
    COUNTERS,
    FINISH,
    LAM,
    N_LAM,
    N_Q,
    NEW,
    NEWTON_STEP,
    OLD,
    SCRATCH,
    STALE,
    A,
    Q,
    V,
    W,
    X,
)
from mbdgen.runtime.stepping.fused_loop import call, lean_step
from mbdgen.runtime.system.run_workspace import (
    FACTORISATIONS,
    KERNEL_FAILED,
    NEWTON,
    NOT_CONVERGED,
    OK,
)

QUADRATIC = 1e-6
"""Newton's error after a relative increment ``e`` is of the order ``e^2``: quadratically small."""


@lean_step
def step(context: Any, h: float, options: Any) -> int:
    """Advance by one step; on failure the state is unchanged.

    The iteration matrix is exact: an increment below the square root of the tolerance leaves an
    error below the tolerance, and the iteration that would only confirm it is omitted.
    """
    n_q, n_lam = context[N_Q], context[N_LAM]
    clock, w, x = reals(context[CLOCK]), reals(context[W]), reals(context[X])
    q, v, a, lam = reals(context[Q]), reals(context[V]), reals(context[A]), reals(context[LAM])
    counters, scratch = integers(context[COUNTERS]), context[SCRATCH]
    q_old, v_old = reals(scratch), reals(scratch + 8 * n_q)
    a_old, q_known = reals(scratch + 16 * n_q), reals(scratch + 24 * n_q)
    v_known, lam_old = reals(scratch + 32 * n_q), reals(scratch + 40 * n_q)
    shared = options[4] > 0.5
    t = clock[0]
    if shared and context[STALE]:
        if call(CONSISTENT, context, a, reals(context[OLD])) != 0:
            return KERNEL_FAILED
        context[STALE] = 0
    c_q, c_v = options[0] * h * h, options[1] * h
    top = 0.0
    for i in range(n_q):
        q_old[i], v_old[i], a_old[i] = q[i], v[i], a[i]
        q_known[i] = q[i] + h * v[i] + (0.5 * h * h - c_q) * a[i]
        v_known[i] = v[i] + (h - c_v) * a[i]
        top = max(top, abs(q[i]))
        q[i] = q_known[i] + c_q * a[i]
        v[i] = v_known[i] + c_v * a[i]
    for i in range(n_lam):
        lam_old[i] = lam[i]
    clock[0] = t + h
    w[0], w[1], w[2] = c_q, c_v, 1.0
    enough = min(QUADRATIC, options[2] ** 0.5) * (1.0 + top)
    status = NOT_CONVERGED
    for _ in range(int(options[3])):
        if call(NEWTON_STEP, context, a, x) != 0:
            status = KERNEL_FAILED
            break
        counters[NEWTON] += 1
        increment = 0.0
        for i in range(n_q):
            a[i] += x[i]
            q[i] = q_known[i] + c_q * a[i]
            v[i] = v_known[i] + c_v * a[i]
            increment = max(increment, c_q * abs(x[i]))
        for i in range(n_lam):
            lam[i] += x[n_q + i]
        if increment <= enough:
            status = OK
            break
    new = reals(context[NEW])
    if status == OK:
        failed = 0
        if shared:
            failed = call(FINISH, context, reals(context[OLD]), new)
        else:
            failed = call(CONSISTENT, context, a, new)
        counters[FACTORISATIONS] += 1
        if failed != 0:
            status = KERNEL_FAILED
    if status != OK:
        clock[0] = t
        for i in range(n_q):
            q[i], v[i], a[i] = q_old[i], v_old[i], a_old[i]
        for i in range(n_lam):
            lam[i] = lam_old[i]
        return status
    for i in range(n_q):
        v[i], a[i] = new[i], new[n_q + i]
    for i in range(n_lam):
        lam[i] = new[2 * n_q + i]
    context[OLD], context[NEW] = context[NEW], context[OLD]
    return OK
