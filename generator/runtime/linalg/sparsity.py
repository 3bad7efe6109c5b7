"""Which entries of the iteration matrix are zero at every state.

The pattern of a module has every entry that its equations can fill. Many stay zero: without
stiffness those between the two bodies of a joint, and all that the zeros among the numbers of this
mechanism multiply (axes and points on coordinate axes, principal inertias). Dropping them halves
the work of a factorisation [M: 43 multiplications for each unknown of a crank with dyads, then 21].
"""

from collections.abc import Sequence

import numpy as np

from mbdgen.runtime.system.run_workspace import State
from mbdgen.runtime.system.system import System
from mbdgen.runtime.system.system_data import IntArray

SAMPLES = 3


def lasting_entries(system: System, state: State, weights: Sequence[float]) -> IntArray:
    """Return the positions of the values that are not zero here or at arbitrary states.

    A product with a number that is zero is zero at all states, and at an arbitrary state nothing
    else is. Where a condition in the equations makes this wrong, `factorise` notices a value that
    should be zero and asks for new pivots.

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
        # NaN where the equations have no value: not zero.
        found |= system.matrix(t + rng.uniform(), q, v, a, lam, weights).data != 0.0
    found[system.work.diagonal] = True
    kept: IntArray = np.flatnonzero(found)
    return kept
