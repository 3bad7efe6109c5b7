"""Diagnosis of failed computations: the equation that is not finite or has the largest residual."""

import numpy as np

from mbdgen.runtime.system.run_workspace import INDEX_1, State
from mbdgen.runtime.system.system import System
from mbdgen.runtime.system.system_data import FloatArray

ADVICE = (
    "Check the functions of time, divisions, roots and logarithms in the expressions there, and "
    "springs whose ends meet."
)


def not_finite(system: System, t: float, state: State) -> str | None:
    """Name the first equation that is not finite at a state, or has such derivatives."""
    q, v, a, lam = state.q, state.v, state.a, state.lam
    with np.errstate(all="ignore"):
        rates = system.rates(t, q, v, a, lam)
        weights = INDEX_1 if len(system.data.crowds) else (1.0, 1.0, 1.0)
        matrix = abs(system.matrix(t, q, v, a, lam, weights))
        levels = {
            "": system.residual(t, q, v, a, lam),
            "the velocity level of ": rates[0],
            "the acceleration level of ": rates[1],
            "a derivative of ": np.asarray(matrix.sum(axis=1)).ravel(),
        }
    for what, values in levels.items():
        row = first_bad(system, values)
        if row is not None:
            return f"{what}{named(system, row)}"
    return None


def named(system: System, row: int) -> str:
    """Return the joint or body that a row belongs to, and the row."""
    return f"'{system.names.row_owners[row]}', row '{system.names.rows[row]}'"


def first_bad(system: System, values: FloatArray) -> int | None:
    """Return the first row that is not finite; a joint comes before the bodies it acts on."""
    bad = np.flatnonzero(~np.isfinite(values))
    if not len(bad):
        return None
    joints = bad[bad >= system.n_q]
    return int(joints[0] if len(joints) else bad[0])


def worst(system: System) -> int:
    """Return the row with the largest residual evaluated last.

    Violated constraints take precedence: only their residuals are comparable, and forces follow
    from them.
    """
    bad = first_bad(system, system.work.residual)
    if bad is not None:
        return bad
    size, rows = np.abs(system.work.residual), system.work.rows
    if len(rows) and size[rows].max() > 1e-8:
        return int(rows[np.argmax(size[rows])])
    return int(np.argmax(size))
