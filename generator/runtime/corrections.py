"""How far assembly moved the initial values: a large correction is often a slip in the model."""

import numpy as np

from mbdgen.runtime.data import FloatArray
from mbdgen.runtime.system import System

ROUND_OFF = 1e-12
"""Of the largest value: what changes less has not been corrected."""


def corrections(system: System, q: FloatArray, v: FloatArray) -> dict[str, float]:
    """Return the largest change of a coordinate and of a velocity, by name, where there is one.

    Parameters
    ----------
    system : System
        Its ``q0`` and ``v0`` are the values as they were given.
    q, v : array
        The values that fulfil the constraints.
    """
    found: dict[str, float] = {}
    for ending, given, now in (("", system.q0, q), (".dot", system.v0, v)):
        change = now - given
        k = int(np.argmax(np.abs(change))) if len(change) else 0
        if len(change) and abs(change[k]) > ROUND_OFF * max(1.0, float(np.abs(now).max())):
            found[f"{system.names.coordinates[k]}{ending}"] = float(change[k])
    return found
