"""Equations that say nothing: those whose derivatives are round-off.

Such are the equations out of the plane of a planar loop. What they are compared with is what all
equations add up: lengths, whose derivatives are as large as the largest of all, and direction
cosines, whose derivatives are as large as one even where none of them says anything. So neither
units nor masses decide. The rank of `mbdgen.runtime.initialisation.constraint_diagnosis`, the sizes
of rows (`mbdgen.runtime.system.equation_scales` and its compiled copy), the regularisation and its
copy in JavaScript ask the same.
"""

import numpy as np
from numpy.typing import NDArray

from mbdgen.runtime.system.system_data import FloatArray

NO_DERIVATIVE = 1e-12
"""Derivatives up to this part of the largest, or of 1, are no derivatives.

Chains of some hundred bodies leave 1e-14; users round axes and places to 1e-8 at the finest.
"""


def say_nothing(largest: FloatArray) -> NDArray[np.bool_]:
    """Return which equations say nothing.

    Parameters
    ----------
    largest : array
        The largest derivative of each equation by any coordinate.
    """
    found: NDArray[np.bool_] = largest <= NO_DERIVATIVE * max(1.0, float(largest.max(initial=0.0)))
    return found
