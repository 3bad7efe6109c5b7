"""Names of violated constraints and of equations that are not finite."""

from collections import defaultdict

import numpy as np

from mbdgen.errors import AssemblyError
from mbdgen.runtime.accuracy.failure_diagnosis import ADVICE, not_finite
from mbdgen.runtime.system.run_workspace import new_state
from mbdgen.runtime.system.system import System
from mbdgen.runtime.system.system_data import FloatArray, IntArray


def report(system: System, violation: FloatArray, rows: IntArray | None = None) -> str:
    """Name the joints (or bodies) with the largest violation of all constraint rows, or of some."""
    rows, count = system.work.rows if rows is None else rows, 3
    owners = [system.names.row_owners[row] for row in rows]
    worst: dict[str, float] = defaultdict(float)
    for owner, value in zip(owners, np.abs(np.nan_to_num(violation, nan=np.inf)), strict=True):
        worst[owner] = max(worst[owner], float(value))
    ranking = sorted(worst.items(), key=lambda item: -item[1])[:count]
    ranking = [item for item in ranking if item[1] >= 1e-3 * ranking[0][1]]
    return ", ".join(f"'{owner}' is violated by {size:.3g}" for owner, size in ranking)


def undefined(
    system: System, t: float, q: FloatArray, v: FloatArray | None = None
) -> AssemblyError:
    """Return an error naming the equation that is not finite."""
    state = new_state(system.n_q, system.n_lam)
    state.q[:] = q
    state.v[:] = 0.0 if v is None else v
    where = not_finite(system, t, state) or "the accelerations"
    return AssemblyError(f"The equations are not finite at t = {t:g}: {where}.", ADVICE)
