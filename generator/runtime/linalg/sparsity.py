"""Structural sparsity: entries of the iteration matrix that are zero at every state.

The pattern of a module has every entry that its equations can fill. Many remain zero: without
stiffness those between the two bodies of a joint, and products with parameters that are zero
(axes and points on coordinate axes, principal inertias). Dropping them halves the cost of a
factorisation [M: 43 multiplications for each unknown of a crank with dyads, then 21].
"""

from collections.abc import Sequence

import numpy as np

from mbdgen.runtime.system.run_workspace import State
from mbdgen.runtime.system.system import System
from mbdgen.runtime.system.system_data import IntArray

SAMPLES = 3


def lasting_entries(system: System, state: State, weights: Sequence[float]) -> IntArray:
    """Return the indices of values that differ from zero at this state or at random ones.

    A product with a zero parameter is zero at all states, and at a random state nothing else is.
    Where a condition in the equations makes this wrong, `factorise` detects a value that should
    be zero and requests new pivots.

    Parameters
    ----------
    weights : (c_q, c_v, c_a)
        Weights of the iteration matrix.
    """
    rng = np.random.default_rng(1)
    t = float(state.clock[0])
    found = system.matrix(t, state.q, state.v, state.a, state.lam, weights).data != 0.0
    for _ in range(SAMPLES):
        q, v, a = (x + rng.normal(size=x.size) for x in (state.q, state.v, state.a))
        lam = state.lam + rng.normal(size=state.lam.size)
        # NaN, where the equations are undefined, counts as not zero.
        found |= system.matrix(t + rng.uniform(), q, v, a, lam, weights).data != 0.0
    found[system.work.diagonal] = True
    kept: IntArray = np.flatnonzero(found)
    return kept
