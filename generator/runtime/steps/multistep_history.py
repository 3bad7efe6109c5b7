"""History of multistep methods: vectors at earlier instants, in the rows of the workspace.

Row ``k`` has the vector of the ``k``-th instant before the present one, and ``dense.times[k]`` its
time. The present one is stored in row `PRESENT` until the next step has begun: a step that fails or
is repeated leaves the history unchanged.
"""

from mbdgen.runtime.program.compiled_functions import internal
from mbdgen.runtime.solvers.dense_workspace import DenseWorkspace
from mbdgen.runtime.system.system_data import FloatArray

EARLIER = 4
"""Largest number of earlier instants, as required by methods of order 5."""
PRESENT = EARLIER + 1
FREE = PRESENT + 1
"""First row available to methods; row 0 is the slope at the state."""

SAME = 1e-9
"""Relative difference below which two step sizes are equal: instants come from divisions."""


@internal
def remember(dense: DenseWorkspace, t: float, vector: FloatArray) -> int:
    """Add the vector at the present instant ``t``; return the number of earlier ones.

    ``dense.times[0]`` is that number plus one: zero at the beginning of a motion.
    """
    rows, times = dense.rows, dense.times
    known = int(times[0])
    if known == 0 or times[PRESENT] != t:
        for k in range(EARLIER, 0, -1):
            source = k - 1 if k > 1 else PRESENT
            times[k] = times[source]
            for i in range(rows.shape[1]):
                rows[k, i] = rows[source, i]
        for i in range(rows.shape[1]):
            rows[PRESENT, i] = vector[i]
        known = min(known + 1, EARLIER + 1)
        times[0], times[PRESENT] = float(known), t
    return known - 1


@internal
def same_step(last: float, h: float) -> bool:
    """Whether the step size is that of the last step, up to round-off of the instants."""
    return abs(last - h) <= SAME * abs(h)


@internal
def row_of(k: int) -> int:
    """Return the row of the ``k``-th instant before the present one (``k = 0``)."""
    return k if k > 0 else PRESENT


@internal
def instants_in_steps(dense: DenseWorkspace, h: float, instants: FloatArray) -> None:
    """``instants[k] <-`` time from the present to the ``k``-th earlier instant, in steps."""
    instants[0] = 0.0
    for k in range(1, len(instants)):
        instants[k] = (dense.times[k] - dense.times[PRESENT]) / h
