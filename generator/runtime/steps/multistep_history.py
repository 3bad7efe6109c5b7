"""What multistep methods remember: vectors of earlier instants, in the rows of the room.

Row ``k`` has the vector of the ``k``-th instant before the present one, and ``dense.times[k]`` its
time. That of the present waits in row `PRESENT` until the next step has begun: a step that fails or
is repeated leaves everything as it was.
"""

from mbdgen.runtime.program.compiled_functions import internal
from mbdgen.runtime.solvers.dense_workspace import DenseWorkspace
from mbdgen.runtime.system.system_data import FloatArray

EARLIER = 4
"""Most earlier instants; methods of order 5 need so many."""
PRESENT = EARLIER + 1
FREE = PRESENT + 1
"""First row that methods may use otherwise; row 0 is the slope at the state."""

SAME = 1e-9
"""Part of a step within which two steps are equal: instants come from divisions."""


@internal
def remember(dense: DenseWorkspace, t: float, vector: FloatArray) -> int:
    """Take in the vector of the present instant ``t``; return how many earlier ones are known.

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
    """Whether a step is as long as the last one, up to the rounding of their ends."""
    return abs(last - h) <= SAME * abs(h)


@internal
def row_of(k: int) -> int:
    """Return the row of the ``k``-th instant before the present one, which is the 0-th."""
    return k if k > 0 else PRESENT


@internal
def instants_in_steps(dense: DenseWorkspace, h: float, instants: FloatArray) -> None:
    """``instants[k] <-`` the ``k``-th instant before the present, from there on, in steps."""
    instants[0] = 0.0
    for k in range(1, len(instants)):
        instants[k] = (dense.times[k] - dense.times[PRESENT]) / h
