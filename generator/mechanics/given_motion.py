"""Eliminated drivers: their prescribed motion is substituted into all equations.

Their Lagrange multipliers are outputs; the mechanism without them cannot be analysed.
"""

import numpy as np

from mbdgen.errors import OptionError
from mbdgen.mechanics.levels import AT_REST
from mbdgen.runtime.system.system import System
from mbdgen.runtime.system.system_data import FloatArray

REMEDY = "Leave out eliminate (--eliminate): then drivers have multipliers."


def eliminated_drivers(system: System) -> tuple[str, ...]:
    """Return the names of the drivers that have been eliminated."""
    names = (system.names.outputs[k].rpartition("[")[0] for k in system.data.moved)
    return tuple(dict.fromkeys(names))


def check_still(system: System, t: float, q: FloatArray) -> None:
    """Reject an instant at which eliminated drivers are not at rest: they cannot be stopped.

    Raises
    ------
    OptionError
        Naming them.
    """
    if not len(system.data.moved):
        return
    rest = np.zeros(system.n_q)
    states = system.outputs(t, q, rest, rest, np.zeros(system.n_lam))[len(system.names.outputs) :]
    rates = states[len(states) // 3 :]
    if np.abs(rates).max(initial=0.0) > AT_REST:
        gone = ", ".join(f"'{name}'" for name in eliminated_drivers(system))
        raise OptionError(
            f"'{system.data.model}' has no rest at t = {t:g}: its drivers {gone} move then, and "
            "have been eliminated.",
            f"{REMEDY} Or give an instant at which they stand still.",
        )
