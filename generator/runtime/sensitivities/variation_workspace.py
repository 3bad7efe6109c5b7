"""Workspace of sensitivity steps: variations of the motion, one row for every parameter."""

from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from mbdgen.runtime.linalg.linear_solver import FACTORS, Factors
from mbdgen.runtime.monitors.work_quadrature import NUMBERS
from mbdgen.runtime.program.compiled_functions import separate
from mbdgen.runtime.program.kernel_abi import KERNELS
from mbdgen.runtime.system.run_workspace import (
    INT_ARRAY,
    REAL_ARRAY,
    REAL_TABLE,
    STATE,
    WORK,
    RunWorkspace,
)
from mbdgen.runtime.system.system_data import FloatArray, IntArray, SystemData
from mbdgen.subset import types

REAL_BLOCK = types.float64[:, :, ::1]
STAGES = 16
"""Accelerations of so many stages can be varied."""


class Variations(NamedTuple):
    """Variations of a motion under way; contains the factors that steps call ``mass``.

    Tables have one row for every parameter. A step reads the variations of its beginning and leaves
    those of its end beside them, until nothing can fail any more.

    Attributes
    ----------
    mass : Factors
        Of ``[M, -G^T; H, eps]``.
    p : array, shape (n_parameters, n_p)
        Variation of the table of real parameters.
    q, v, a, lam, kept : table
        Of the state at the beginning of the step, and of ``work.kept``.
    new_q, new_v, new_a, new_lam, new_kept : table
        At its end.
    mass_changes : table
        Variations of the matrix that ``mass`` was factorised from.
    slopes : array, shape (STAGES, n_parameters, n_q)
        Of the accelerations of stages.
    still, calm : table
        Zero variations of ``q`` and of ``lam``.
    at_q, at_v, at_a, at_lam : array
        Where kernels are evaluated: values, and their variations behind them.
    mass_values, values : array
        ``[M, -G^T; H, 0]`` whose factors ``mass`` are, and another matrix.
    residual, rates, energies : array
        Variations that kernels wrote last.
    x, rhs, correction : array
        Solution and right-hand side of linear systems, and a correction of the motion.
    before : array
        A vector of ``n_q`` before it was corrected.
    is_constraint : array of int
        1 in rows of constraints.
    numbers : table
        Variations of energy and work, as in ``Progress.numbers``.
    position, substeps : array of int
        Progress of the run, and the steps of its intervals.
    rows_q, rows_v, rows_a, rows_lam, rows_outputs, rows_energies : array
        What is recorded, shape (n_parameters, instants, width).
    """

    mass: Factors
    p: FloatArray
    q: FloatArray
    v: FloatArray
    a: FloatArray
    lam: FloatArray
    kept: FloatArray
    new_q: FloatArray
    new_v: FloatArray
    new_a: FloatArray
    new_lam: FloatArray
    new_kept: FloatArray
    mass_changes: FloatArray
    slopes: FloatArray
    still: FloatArray
    calm: FloatArray
    at_q: FloatArray
    at_v: FloatArray
    at_a: FloatArray
    at_lam: FloatArray
    mass_values: FloatArray
    values: FloatArray
    residual: FloatArray
    rates: FloatArray
    energies: FloatArray
    x: FloatArray
    rhs: FloatArray
    correction: FloatArray
    before: FloatArray
    is_constraint: IntArray
    numbers: FloatArray
    position: IntArray
    substeps: IntArray
    rows_q: FloatArray
    rows_v: FloatArray
    rows_a: FloatArray
    rows_lam: FloatArray
    rows_outputs: FloatArray
    rows_energies: FloatArray


VARIATIONS = types.NamedTuple(
    (
        FACTORS,
        *[REAL_TABLE] * 12,
        REAL_BLOCK,
        *[REAL_TABLE] * 2,
        *[REAL_ARRAY] * 13,
        INT_ARRAY,
        REAL_TABLE,
        *[INT_ARRAY] * 2,
        *[REAL_BLOCK] * 6,
    ),
    Variations,
)
VARIED_STEP_SIGNATURE = types.int64(
    KERNELS, WORK, STATE, types.float64, REAL_ARRAY, FACTORS, VARIATIONS
)
WANTED = (
    "step(kernels: Kernels, work: Work, state: State, h: float, options: FloatArray, "
    "tangent: Factors, room: Variations) -> int"
)
"""The compiled signature of a step."""

F = TypeVar("F", bound=Callable[..., Any])

VARIED_STEP = types.FunctionPointer(VARIED_STEP_SIGNATURE)


def varied_step(function: F) -> F:
    """Compile a step that differentiates itself; see `mbdgen.runtime.integrators.base`."""
    return separate(VARIED_STEP_SIGNATURE)(function)


def new_variations(
    work: RunWorkspace, data: SystemData, mass: Factors, p: FloatArray, instants: int
) -> Variations:
    """Return the workspace for the variations of a motion with a number of recorded instants.

    Parameters
    ----------
    p : table
        Variation of the real parameters in every row.
    """
    count, n_q, n_lam, n = len(p), data.n_q, data.n_lam, data.n
    n_out, nnz = len(data.names.outputs), len(work.values)

    def table(width: int) -> FloatArray:
        return np.zeros((count, width))

    def rows(width: int) -> FloatArray:
        return np.zeros((count, instants, width))

    is_constraint: NDArray[np.int64] = np.zeros(n, np.int64)
    is_constraint[work.rows] = 1
    return Variations(
        mass=mass,
        p=np.ascontiguousarray(p),
        q=table(n_q),
        v=table(n_q),
        a=table(n_q),
        lam=table(n_lam),
        kept=table(n_q),
        new_q=table(n_q),
        new_v=table(n_q),
        new_a=table(n_q),
        new_lam=table(n_lam),
        new_kept=table(n_q),
        mass_changes=table(nnz),
        slopes=np.zeros((STAGES, count, n_q)),
        still=table(n_q),
        calm=table(n_lam),
        at_q=np.zeros(2 * n_q),
        at_v=np.zeros(2 * n_q),
        at_a=np.zeros(2 * n_q),
        at_lam=np.zeros(2 * n_lam),
        mass_values=np.zeros(nnz),
        values=np.zeros(nnz),
        residual=np.zeros(n),
        rates=np.zeros(2 * n),
        energies=np.zeros(3),
        x=np.zeros(n),
        rhs=np.zeros(n),
        correction=np.zeros(n),
        before=np.zeros(n_q),
        is_constraint=is_constraint,
        numbers=table(NUMBERS),
        position=np.zeros(4, np.int64),
        substeps=np.zeros(1, np.int64),
        rows_q=rows(n_q),
        rows_v=rows(n_q),
        rows_a=rows(n_q),
        rows_lam=rows(n_lam),
        rows_outputs=rows(n_out),
        rows_energies=rows(3),
    )
