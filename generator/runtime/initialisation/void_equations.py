"""Void equations: constraints whose derivatives are round-off.

Such are the out-of-plane equations of a planar loop. Their derivatives are compared with the terms
of all equations: lengths, whose derivatives are as large as the largest of all, and direction
cosines, whose derivatives are of order one even where all of them are void. So neither units nor
masses matter. The same criterion serves the rank of
`mbdgen.runtime.initialisation.constraint_diagnosis`, the scales of rows
(`mbdgen.runtime.system.equation_scales` and its compiled copy), and the regularisation with its
copy in JavaScript.
"""

import numpy as np
from numpy.typing import NDArray

from mbdgen.runtime.system.system_data import FloatArray

NO_DERIVATIVE = 1e-12
"""Derivatives up to this, relative to the largest or to 1, count as zero.

Chains of some hundred bodies leave 1e-14; users round axes and positions to 1e-8 at the finest.
"""


def are_void(largest: FloatArray) -> NDArray[np.bool_]:
    """Return which equations are void.

    Parameters
    ----------
    largest : array
        The largest derivative of each equation by any coordinate.
    """
    scale = max(1.0, float(np.fmax.reduce(largest, initial=0.0)))
    void: NDArray[np.bool_] = ~(largest > NO_DERIVATIVE * scale)  # also those that are NaN
    return void
