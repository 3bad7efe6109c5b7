"""Radau IIA with three stages, of order 5: the numbers, and a step with any imposed weights."""

import numpy as np

from mbdgen.runtime.abi import Kernels
from mbdgen.runtime.compiled import internal
from mbdgen.runtime.data import FloatArray
from mbdgen.runtime.dense.room import Dense
from mbdgen.runtime.dense.stages import solve_stages
from mbdgen.runtime.work import State, Work

_ROOT = 6**0.5
_MATRIX = (
    ((88 - 7 * _ROOT) / 360, (296 - 169 * _ROOT) / 1800, (-2 + 3 * _ROOT) / 225),
    ((296 + 169 * _ROOT) / 1800, (88 + 7 * _ROOT) / 360, (-2 - 3 * _ROOT) / 225),
    ((16 - _ROOT) / 36, (16 + _ROOT) / 36, 1 / 9),
)


@internal
def radau_step(
    kernels: Kernels,
    work: Work,
    state: State,
    dense: Dense,
    w: FloatArray,
    h: float,
    tolerance: float,
    limit: int,
) -> int:
    """Advance by one step; ``w`` as for `solve_stages`."""
    A = np.array(_MATRIX)
    return solve_stages(kernels, work, state, dense, A, w, h, tolerance, limit)
