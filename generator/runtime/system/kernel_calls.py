"""Compiled evaluation of residual, rates, iteration matrix, energies; factorisation of matrices.

The functions `evaluate_...` differ by a kernel and an array only. A single function with both as
arguments makes generic steps slower by a third [M: 14.9 us instead of 11.3 for a pendulum].
"""

from typing import Any

import numpy as np

from mbdgen.runtime.linalg.factor_storage import KNOWN, SAME
from mbdgen.runtime.linalg.linear_solver import FACTORS, Factors, factorise
from mbdgen.runtime.program.compiled_functions import internal, separate
from mbdgen.runtime.program.kernel_abi import KERNELS, Kernels
from mbdgen.runtime.system.run_workspace import (
    FACTORISATIONS,
    KERNEL_FAILED,
    NOT_FINITE,
    OK,
    REAL_ARRAY,
    REPIVOT_MASS,
    SINGULAR_MASS,
    STATE,
    WORK,
    RunWorkspace,
    State,
)
from mbdgen.runtime.system.system_data import FloatArray, IntArray
from mbdgen.subset import typed_tree as tree
from mbdgen.subset import types
from mbdgen.subset.scope import Intrinsic
from mbdgen.subset.translated_values import NumberValue

_AT = (types.float64, REAL_ARRAY, REAL_ARRAY, REAL_ARRAY, REAL_ARRAY)


_MAGNITUDE = 0x7FFFFFFFFFFFFFFF
_HUGE = int(np.array([1e300]).view(np.int64)[0])


@Intrinsic
def from_bits(translator: Any, given: Any, node: Any) -> NumberValue:
    """Real number with these bits (for compiled code)."""
    return NumberValue(tree.Bits(given[0].expression, types.float64))


@internal
def largest(x: FloatArray) -> float:
    """Largest magnitude in ``x`` (maximum norm); infinite if any value is not finite.

    The bits of magnitudes, read as integers, have the same order, with NaN above all numbers: the
    loop has no branch and is vectorised (four values at a time).
    """
    top = 0
    for bits in x.view(np.int64):
        top = max(top, bits & _MAGNITUDE)
    if top > _HUGE:
        return np.inf
    return from_bits(top)


@internal
def largest_constraint(work: RunWorkspace, vector: FloatArray, offset: int) -> float:
    """Largest magnitude among the constraint rows of ``vector[offset:]``."""
    top = 0.0
    for row in work.rows:
        size = abs(vector[offset + row])
        if not size <= 1e300:
            return np.inf
        top = max(top, size)
    return top


@internal
def call(
    kernel: Any,
    t: float,
    q: FloatArray,
    v: FloatArray,
    a: FloatArray,
    lam: FloatArray,
    w: FloatArray,
    p: FloatArray,
    m: IntArray,
    out: FloatArray,
) -> int:
    """Evaluate one kernel into ``out``."""
    status = kernel(
        t, q.ctypes, v.ctypes, a.ctypes, lam.ctypes, w.ctypes, p.ctypes, m.ctypes, out.ctypes
    )
    return OK if status == 0 else KERNEL_FAILED


@internal
def add_change(a: FloatArray, lam: FloatArray, x: FloatArray) -> float:
    """``(a, lam) += x``; return the largest change of an acceleration."""
    n_q, size = len(a), 0.0
    for i in range(n_q):
        a[i] += x[i]
        size = max(size, abs(x[i]))
    for k in range(len(lam)):
        lam[k] += x[n_q + k]
    return size


@internal
def evaluate_residual(
    kernels: Kernels,
    work: RunWorkspace,
    t: float,
    q: FloatArray,
    v: FloatArray,
    a: FloatArray,
    lam: FloatArray,
) -> int:
    """``work.residual <- [M a - f - G^T lam; phi]``."""
    return call(kernels.residual, t, q, v, a, lam, work.weights, work.p, work.m, work.residual)


@separate(types.int64(KERNELS, WORK, *_AT, types.float64))
def close_velocities(
    kernels: Kernels,
    work: RunWorkspace,
    t: float,
    q: FloatArray,
    v: FloatArray,
    a: FloatArray,
    lam: FloatArray,
    ratio: float,
) -> int:
    """``work.residual <- (c_q/c_v) psi`` in the rows of nonholonomic constraints ``psi(q, v) = 0``.

    ``ratio`` is ``c_q/c_v``. Along ``q = q_known + c_q a``, ``v = v_known + c_v a`` their
    derivative by ``a`` is then ``c_q H``, like that of holonomic constraints.
    """
    status = call(kernels.rates, t, q, v, a, lam, work.weights, work.p, work.m, work.rates)
    for row in work.velocity_rows:
        work.residual[row] = ratio * work.rates[row]
    return status


@internal
def evaluate_rates(
    kernels: Kernels,
    work: RunWorkspace,
    t: float,
    q: FloatArray,
    v: FloatArray,
    a: FloatArray,
    lam: FloatArray,
) -> int:
    """``work.rates <- (phi_dot, phi_ddot)``, each in the layout of the rows."""
    return call(kernels.rates, t, q, v, a, lam, work.weights, work.p, work.m, work.rates)


@internal
def evaluate_energies(
    kernels: Kernels,
    work: RunWorkspace,
    t: float,
    q: FloatArray,
    v: FloatArray,
    a: FloatArray,
    lam: FloatArray,
) -> int:
    """``work.energies <- (T, V, power of drivers and non-conservative loads)``."""
    return call(kernels.energies, t, q, v, a, lam, work.weights, work.p, work.m, work.energies)


@internal
def evaluate_outputs(
    kernels: Kernels,
    work: RunWorkspace,
    t: float,
    q: FloatArray,
    v: FloatArray,
    a: FloatArray,
    lam: FloatArray,
    out: FloatArray,
) -> int:
    """``out <-`` outputs of the model."""
    return call(kernels.outputs, t, q, v, a, lam, work.weights, work.p, work.m, out)


@internal
def add_eps(work: RunWorkspace) -> None:
    """Add the regularisation ``eps`` to the diagonal of the multipliers."""
    for k in range(len(work.diagonal)):
        work.values[work.diagonal[k]] += work.eps[k]


@internal
def evaluate_matrix(
    kernels: Kernels,
    work: RunWorkspace,
    t: float,
    q: FloatArray,
    v: FloatArray,
    a: FloatArray,
    lam: FloatArray,
) -> int:
    """``work.values <- [c_q r_q + c_v r_v + c_a r_a, -G^T; H, eps]``, the iteration matrix.

    The weights ``(c_q, c_v, c_a)`` are in ``work.weights``.
    """
    status = call(kernels.matrix, t, q, v, a, lam, work.weights, work.p, work.m, work.values)
    add_eps(work)
    return status


@internal
def named_status(status: int, repivot: int, singular: int) -> int:
    """Translate a status of `factorise_at` to one that names the matrix."""
    if status == 1:
        return repivot
    if status == 2:
        return singular
    return status


@separate(types.int64(WORK, FACTORS))
def factorise_values(work: RunWorkspace, factors: Factors) -> int:
    """Factorise the matrix in ``work.values``."""
    work.counters[FACTORISATIONS] += 1
    status = factorise(factors, work.values)
    if status != 0 and not np.isfinite(largest(work.values)):
        return NOT_FINITE
    return status


@internal
def _are(held: FloatArray, values: FloatArray) -> bool:
    """Whether the stored values, without the first, equal ``values``."""
    for k in range(len(values)):
        if held[k + 1] != values[k]:
            return False
    return True


@separate(types.int64(KERNELS, WORK, FACTORS, STATE, types.float64))
def factorise_mass(
    kernels: Kernels, work: RunWorkspace, factors: Factors, state: State, t: float
) -> int:
    """Factorise ``[M, -G^T; H, eps]`` at the position of ``state``; returns a status of the run.

    The matrix is constant where positions are linear in the coordinates, as for beams: a matrix
    equal to the last one is not factorised again.
    """
    work.weights[0] = 0.0
    work.weights[1] = 0.0
    work.weights[2] = 1.0
    q, v, a, lam = state.q, state.v, state.a, state.lam
    status = call(kernels.mass, t, q, v, a, lam, work.weights, work.p, work.m, work.values)
    if status != OK:
        return status
    add_eps(work)
    held, values = factors.held, work.values
    if held[0] >= KNOWN and _are(held, values):
        held[0] = SAME
        return OK
    status = factorise_values(work, factors)
    if status == OK:
        held[0] = KNOWN
        for k in range(len(values)):
            held[k + 1] = values[k]
    return named_status(status, REPIVOT_MASS, SINGULAR_MASS)


@separate(types.int64(KERNELS, WORK, FACTORS, *_AT, types.float64, types.float64, types.float64))
def factorise_at(
    kernels: Kernels,
    work: RunWorkspace,
    factors: Factors,
    t: float,
    q: FloatArray,
    v: FloatArray,
    a: FloatArray,
    lam: FloatArray,
    c_q: float,
    c_v: float,
    c_a: float,
) -> int:
    """Evaluate and factorise the iteration matrix of Newton's method.

    Returns 0, the status of `mbdgen.runtime.linalg.linear_solver.factorise` (1 new pivots are
    needed, 2 singular) or a status above 2 of `mbdgen.runtime.system.run_workspace`.
    """
    work.weights[0] = c_q
    work.weights[1] = c_v
    work.weights[2] = c_a
    status = evaluate_matrix(kernels, work, t, q, v, a, lam)
    return status if status != OK else factorise_values(work, factors)
