"""Radau IIA method with three stages, order 5: step with any imposed weights, and its error."""

import numpy as np

from mbdgen.runtime.program.compiled_functions import internal, separate
from mbdgen.runtime.program.kernel_abi import KERNELS, Kernels
from mbdgen.runtime.solvers.coupled_stages import solve_stages
from mbdgen.runtime.solvers.dense_workspace import DENSE, DenseWorkspace
from mbdgen.runtime.solvers.error_filter import damp_error
from mbdgen.runtime.system.run_workspace import (
    REAL_ARRAY,
    REAL_TABLE,
    STATE,
    WORK,
    RunWorkspace,
    State,
)
from mbdgen.runtime.system.system_data import FloatArray
from mbdgen.subset import types

_ROOT = 6**0.5
_MATRIX = (
    ((88 - 7 * _ROOT) / 360, (296 - 169 * _ROOT) / 1800, (-2 + 3 * _ROOT) / 225),
    ((296 + 169 * _ROOT) / 1800, (88 + 7 * _ROOT) / 360, (-2 - 3 * _ROOT) / 225),
    ((16 - _ROOT) / 36, (16 + _ROOT) / 36, 1 / 9),
)
_EIGENVALUE = 1 / (3 + 3 ** (2 / 3) - 3 ** (1 / 3))
"""Real eigenvalue of the coefficient matrix."""
_OF_ERROR = tuple(_EIGENVALUE / 3 * x for x in (-13 - 7 * _ROOT, -13 + 7 * _ROOT, -1))


@internal
def radau_step(
    kernels: Kernels,
    work: RunWorkspace,
    state: State,
    dense: DenseWorkspace,
    w: FloatArray,
    h: float,
    tolerance: float,
    limit: int,
    found: FloatArray,
) -> int:
    """Advance by one step; ``w`` and ``found`` as for `solve_stages`."""
    A = np.array(_MATRIX)
    return solve_stages(kernels, work, state, dense, A, w, h, tolerance, limit, found)


@separate(types.int64(KERNELS, WORK, STATE, DENSE, types.float64, REAL_TABLE, REAL_ARRAY))
def radau_error(
    kernels: Kernels,
    work: RunWorkspace,
    state: State,
    dense: DenseWorkspace,
    h: float,
    found: FloatArray,
    error: FloatArray,
) -> int:
    """``error <- (e_q, e_v)`` of a step that ended at the state (Hairer and Wanner, RADAU5).

    ``(I - g h J) e = g h f(y_0) + sum_i d_i (Y_i - y_0)`` with the real eigenvalue ``g`` of ``A``:
    of order 3, and bounded however stiff the forces are. Row 0 of ``found`` has the accelerations
    at the beginning, the following rows those of the stages.
    """
    A, d, n_q = np.array(_MATRIX), np.array(_OF_ERROR), len(state.q)
    of_v = d @ A
    of_q = of_v @ A
    e_q, e_v = work.scratch[0], work.scratch[1]
    for k in range(n_q):
        e_q[k], e_v[k] = 0.0, h * _EIGENVALUE * found[0, k]
        for j in range(3):
            e_q[k] += h * h * of_q[j] * found[1 + j, k]
            e_v[k] += h * of_v[j] * found[1 + j, k]
    status = damp_error(kernels, work, state, dense, _EIGENVALUE * h, e_q, e_v)
    for k in range(n_q):
        error[k], error[n_q + k] = e_q[k], e_v[k]
    return status
