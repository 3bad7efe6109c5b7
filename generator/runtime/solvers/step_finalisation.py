"""Initialise and finalise a step with a formulation: completion, projection, consistent values."""

import numpy as np

from mbdgen.runtime.program.compiled_functions import internal, separate
from mbdgen.runtime.program.kernel_abi import KERNELS, Kernels
from mbdgen.runtime.solvers.constraint_combination import of_accelerations, set_up
from mbdgen.runtime.solvers.constraint_levels import take_positions
from mbdgen.runtime.solvers.dense_workspace import (
    AT_END,
    COMPLETES,
    DENSE,
    PROJECTS,
    DenseWorkspace,
)
from mbdgen.runtime.solvers.scheme_functions import PARTS, SchemeFunctions, slope_at
from mbdgen.runtime.system.kernel_calls import add_change
from mbdgen.runtime.system.run_workspace import (
    NOT_CONVERGED,
    OK,
    REAL_ARRAY,
    STATE,
    WORK,
    RunWorkspace,
    State,
)
from mbdgen.runtime.system.system_data import FloatArray
from mbdgen.subset import types


@internal
def pack(state: State, dense: DenseWorkspace, y: FloatArray) -> None:
    """``y <- (q, v, z)``."""
    n_q = len(state.q)
    for i in range(n_q):
        y[i], y[n_q + i] = state.q[i], state.v[i]
    for i in range(len(dense.z)):
        y[2 * n_q + i] = dense.z[i]


@separate(types.int64(KERNELS, WORK, STATE, DENSE, PARTS))
def slope_at_state(
    kernels: Kernels,
    work: RunWorkspace,
    state: State,
    dense: DenseWorkspace,
    parts: SchemeFunctions,
) -> int:
    """``dense.rows[0] <-`` slope at the state; ``a`` and ``lam`` are set from the slope."""
    pack(state, dense, dense.y)
    t = state.clock[0]
    return slope_at(kernels, work, state, dense, parts, t, dense.y, dense.rows[0])


@separate(types.int64(KERNELS, WORK, STATE, DENSE, PARTS))
def begin_at_slope(
    kernels: Kernels,
    work: RunWorkspace,
    state: State,
    dense: DenseWorkspace,
    parts: SchemeFunctions,
) -> int:
    """Initialise ``a``, ``lam`` and ``z_dot`` with the values of the formulation itself."""
    pack(state, dense, dense.y)
    slope = np.empty(len(dense.y))
    return slope_at(kernels, work, state, dense, parts, state.clock[0], dense.y, slope)


@separate(types.int64(KERNELS, WORK, STATE, DENSE, PARTS))
def consistent_accelerations(
    kernels: Kernels,
    work: RunWorkspace,
    state: State,
    dense: DenseWorkspace,
    parts: SchemeFunctions,
) -> int:
    """``[M, -G^T; H, 0] [a; lam] = [f; gamma]`` at the state.

    Both start from zero: multipliers of redundant rows have least norm, and increments of an
    iteration are compared with the solution itself.
    """
    for i in range(len(state.a)):
        state.a[i] = 0.0
    for k in range(len(state.lam)):
        state.lam[k] = 0.0
    w = of_accelerations()
    for again in range(2):
        status: int = set_up(kernels, work, state, dense, w, 0.0, 0.0)
        if status == OK:
            status = parts.eliminate(work, dense)
            if status == NOT_CONVERGED and again == 1:
                return OK  # the residual is round-off, which cannot be improved
        if status != OK:
            return status
        add_change(state.a, state.lam, dense.x)
    return OK


@internal
def _finish(
    kernels: Kernels,
    work: RunWorkspace,
    state: State,
    dense: DenseWorkspace,
    parts: SchemeFunctions,
) -> int:
    """Complete and project the end of a step; data kept between steps may be renewed."""
    dense.sizes[AT_END] = 1
    status = parts.complete(kernels, work, state, dense)
    if status == OK and dense.sizes[PROJECTS] != 0:
        status = parts.project(parts.change, kernels, work, state, dense)
    dense.sizes[AT_END] = 0
    return status


@separate(types.int64(KERNELS, WORK, STATE, DENSE, PARTS))
def end_explicit(
    kernels: Kernels,
    work: RunWorkspace,
    state: State,
    dense: DenseWorkspace,
    parts: SchemeFunctions,
) -> int:
    """Complete and project the end of a step, and store its slope for the next one."""
    status = _finish(kernels, work, state, dense, parts)
    return status if status != OK else slope_at_state(kernels, work, state, dense, parts)


@separate(types.int64(KERNELS, WORK, STATE, DENSE, PARTS, REAL_ARRAY))
def end_at_slope(
    kernels: Kernels,
    work: RunWorkspace,
    state: State,
    dense: DenseWorkspace,
    parts: SchemeFunctions,
    slope: FloatArray,
) -> int:
    """End a step at ``dense.y`` with its slope, evaluated anew only if the end is changed.

    ``dense.rows[0] <-`` the slope at the end.
    """
    take_positions(state, dense, dense.y)
    if dense.sizes[PROJECTS] + dense.sizes[COMPLETES] != 0:
        return end_explicit(kernels, work, state, dense, parts)
    for i in range(len(slope)):
        dense.rows[0, i] = slope[i]
    return OK


@separate(types.int64(KERNELS, WORK, STATE, DENSE, PARTS))
def end_implicit(
    kernels: Kernels,
    work: RunWorkspace,
    state: State,
    dense: DenseWorkspace,
    parts: SchemeFunctions,
) -> int:
    """Complete and project the end of a step; recompute dependent values if that changes it.

    These are accelerations and reactions, which the relation of the step gave for another state.
    """
    status = _finish(kernels, work, state, dense, parts)
    if status != OK or dense.sizes[PROJECTS] + dense.sizes[COMPLETES] == 0:
        return status
    return consistent_accelerations(kernels, work, state, dense, parts)
