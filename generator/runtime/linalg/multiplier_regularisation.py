"""Regularisation of Lagrange multipliers: ``eps`` on their diagonal, for redundant constraints."""

from mbdgen.runtime.initialisation.void_equations import NO_DERIVATIVE
from mbdgen.runtime.program.compiled_functions import separate
from mbdgen.runtime.program.kernel_abi import KERNELS, Kernels
from mbdgen.runtime.system.kernel_calls import evaluate_matrix
from mbdgen.runtime.system.run_workspace import STATE, WORK, RunWorkspace, State
from mbdgen.subset import types

REGULARISATION = 1e-10
"""``eps`` relative to the diagonal of ``G M^-1 G^T``.

Round-off in a pivot that should be zero is about 1e-15 of that diagonal: ``eps`` must be well above
it, and well below the smallest squared singular value of an independent constraint.
"""


@separate(types.int64(KERNELS, WORK, STATE))
def regularise(kernels: Kernels, work: RunWorkspace, state: State) -> int:
    """Set ``eps`` to a small multiple of the diagonal of ``G M^-1 G^T`` at a position.

    The mass of a row is estimated by its largest entry: ``eps`` only has to be small, and its
    effect is removed by iteration. For void equations, whose derivatives are round-off, it is the
    largest of all.
    """
    n_q, n_lam, mass, is_constraint = len(state.q), len(state.lam), work.rhs, work.x
    work.eps[:] = 0.0
    work.weights[0], work.weights[1], work.weights[2] = 0.0, 0.0, 1.0
    at = state
    status = evaluate_matrix(kernels, work, at.clock[0], at.q, at.v, at.a, at.lam)
    mass[:] = 0.0  # in constraint rows: the largest derivative
    is_constraint[:] = 0.0
    for row in work.rows:
        is_constraint[row] = 1.0
    typical, largest = 0.0, 1.0
    for k in range(work.indptr[n_q]):
        row = work.indices[k]
        mass[row] = max(mass[row], abs(work.values[k]))
        if is_constraint[row] == 0.0:
            typical = max(typical, mass[row])
        else:
            largest = max(largest, mass[row])
    if typical == 0.0:
        typical = 1.0
    top = 0.0
    for j in range(n_lam):
        estimate = 0.0
        for k in range(work.indptr[n_q + j], work.indptr[n_q + j + 1]):
            row = work.indices[k]
            if is_constraint[row] == 0.0:
                inertia = mass[row] if mass[row] > 0.0 else typical
                estimate += work.values[k] * work.values[k] / inertia
        work.eps[j] = estimate if mass[n_q + j] > NO_DERIVATIVE * largest else 0.0
        top = max(top, work.eps[j])
    if top == 0.0:
        top = 1.0
    for j in range(n_lam):
        work.eps[j] = REGULARISATION * (work.eps[j] if work.eps[j] > 0.0 else top)
    return status
