"""Convergence criterion of Newton's method, for all iterations on dense equations.

    before = FIRST
    for _ in range(limit):
        status, size = ...  # solve the linearised equations once, and change the unknowns
        if status == OK:
            status = verdict(work.counters, state.q, size, before, tolerance)
        if status != GO_ON:
            return status
        before = size
    return NOT_CONVERGED

The loop itself is written next to the equations: [M] a generic loop that calls them costs up to a
quarter of a step, because calls pass whole workspaces of arrays.
"""

from mbdgen.runtime.program.compiled_functions import internal
from mbdgen.runtime.system.kernel_calls import largest
from mbdgen.runtime.system.run_workspace import NEWTON, NOT_FINITE, OK
from mbdgen.runtime.system.system_data import FloatArray, IntArray

GO_ON = -1
"""Not a status of a step: iterate again."""
FIRST = 1e300
"""Size of the increment before the first one."""
EXACT = 1e-4
"""Fraction of the tolerance that iterations go on to: Jacobians may lack higher-order terms."""
ULPS = 4e-15


@internal
def verdict(counters: IntArray, q: FloatArray, size: float, before: float, tolerance: float) -> int:
    """Count an iteration with an increment ``size`` of positions, and return its status."""
    if not size <= FIRST:
        return NOT_FINITE
    counters[NEWTON] += 1
    return OK if has_converged(size, before, 1.0 + largest(q), tolerance) else GO_ON


@internal
def has_converged(size: float, before: float, scale: float, tolerance: float) -> bool:
    """Whether an increment of this size, after one of size ``before``, was the last one."""
    stalled = size <= tolerance * scale and size > 0.5 * before
    return size <= max(EXACT * tolerance, ULPS) * scale or stalled
