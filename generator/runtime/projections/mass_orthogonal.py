"""Mass-orthogonal projection: the nearest consistent state by an augmented Lagrangian.

``min (q - q*)^T M (q - q*)/2`` subject to ``phi = 0``, where ``q*`` is the end of the step:

``(M + G^T alpha H) dq = -M (q - q*) - G^T (s + alpha phi)``,  ``q += dq``,  ``s += alpha phi(q)``

and the same for velocities. The iteration is often published without ``alpha phi`` on the right;
its multipliers then lag by one pass, and convergence is poor. In this form violations decrease with
every second pass: the one between corrects the forces. In contrast to projection ``mass`` the
change as a whole is the smallest, not each of its steps.

After Bayo and Ledesma (1996).
"""

from typing import Any

from mbdgen.runtime.linalg.dense_lu import lu_solve
from mbdgen.runtime.program.compiled_functions import internal
from mbdgen.runtime.program.kernel_abi import Kernels
from mbdgen.runtime.projections.base import Projector
from mbdgen.runtime.solvers.augmented_lagrangian import factorise_augmented
from mbdgen.runtime.solvers.constraint_correction import settled
from mbdgen.runtime.solvers.constraint_projections import TOLERATED
from mbdgen.runtime.solvers.dense_workspace import DenseWorkspace
from mbdgen.runtime.solvers.saddle_point import fill_matrix
from mbdgen.runtime.solvers.scheme_functions import projects
from mbdgen.runtime.system.kernel_calls import (
    evaluate_rates,
    evaluate_residual,
    largest,
    largest_constraint,
)
from mbdgen.runtime.system.run_workspace import NOT_CONVERGED, OK, RunWorkspace, State
from mbdgen.runtime.system.system_data import FloatArray

PASSES = 20
PENALTY = 1e6
"""``G^T alpha H`` relative to the masses, estimated from single entries."""


@internal
def _penalty(work: RunWorkspace, dense: DenseWorkspace) -> float:
    n, n_q = dense.K.shape[0], dense.K.shape[0] - len(work.eps)
    mass, g, h = 0.0, 0.0, 0.0
    for i in range(n_q):
        for k in range(n_q, n):
            g, h = max(g, abs(dense.K[i, k])), max(h, abs(dense.K[k, i]))
        for j in range(n_q):
            mass = max(mass, abs(dense.K[i, j]))
    return PENALTY * mass / (g * h) if g * h > 0.0 else 0.0


@internal
def _move(
    work: RunWorkspace,
    dense: DenseWorkspace,
    alpha: float,
    violation: FloatArray,
    x: FloatArray,
    wanted: FloatArray,
) -> None:
    """Make one pass: update ``x`` and the forces ``s``; ``wanted`` is the initial ``x``."""
    n, n_q, forces = dense.K.shape[0], len(x), dense.line[2]
    rhs, change = dense.rhs, dense.x
    for i in range(n):
        rhs[i] = 0.0
    for i in range(n_q):
        for j in range(n_q):
            rhs[i] -= dense.K[i, j] * (x[j] - wanted[j])
        for k in range(n_q, n):
            rhs[i] += dense.K[i, k] * (forces[k] + alpha * violation[k])
    for row in work.rows:
        if row < n_q:  # norms are conditions on coordinates, without a force
            rhs[row] = -violation[row]
    lu_solve(dense.spare[0], dense.order, rhs, change)
    for i in range(n_q):
        x[i] += change[i]


@internal
def _begin(dense: DenseWorkspace, x: FloatArray, wanted: FloatArray) -> None:
    for i in range(len(x)):
        wanted[i] = x[i]
    for k in range(len(dense.rhs)):
        dense.line[2, k] = 0.0


@internal
def _add_forces(dense: DenseWorkspace, n_q: int, alpha: float, violation: FloatArray) -> None:
    for k in range(n_q, len(dense.rhs)):
        dense.line[2, k] += alpha * violation[k]


@projects
def project(
    change: Any, kernels: Kernels, work: RunWorkspace, state: State, dense: DenseWorkspace
) -> int:
    """See `mbdgen.runtime.solvers.scheme_functions`; there is nothing to choose a change of."""
    t, q, v, a, lam = state.clock[0], state.q, state.v, state.a, state.lam
    n_q, wanted = len(q), dense.line[3]
    _begin(dense, q, wanted)
    alpha, before, earlier = 0.0, 1e300, 1e300
    for step in range(PASSES):
        status = evaluate_residual(kernels, work, t, q, v, a, lam)
        if status == OK:
            status = fill_matrix(kernels, work, state, dense, 0.0, 0.0)
        if status != OK:
            return status
        size = largest_constraint(work, work.residual, 0)
        alpha = _penalty(work, dense) if step == 0 else alpha
        status = factorise_augmented(work, dense, alpha)
        if status != OK:
            return status
        if settled(size, earlier, q):
            before = min(size, before)
            break
        earlier, before = before, size
        if step > 0:
            _add_forces(dense, n_q, alpha, work.residual)
        _move(work, dense, alpha, work.residual, q, wanted)
    if before > TOLERATED * (1.0 + largest(q)):
        return NOT_CONVERGED
    _begin(dense, v, wanted)
    before, earlier = 1e300, 1e300
    for step in range(PASSES):
        status = evaluate_rates(kernels, work, t, q, v, a, lam)
        if status != OK:
            return status
        size = largest_constraint(work, work.rates, 0)
        if settled(size, earlier, v):
            break
        earlier, before = before, size
        if step > 0:
            _add_forces(dense, n_q, alpha, work.rates)
        _move(work, dense, alpha, work.rates, v, wanted)
    return OK


PROJECTOR = Projector(
    name="mass-orthogonal",
    text="nearest state in the metric of the mass matrix, by an augmented Lagrangian",
    source="E. Bayo, R. Ledesma: Augmented Lagrangian and mass-orthogonal projection methods for "
    "constrained multibody dynamics, Nonlinear Dyn. 9 (1996) 113-130.",
    project=project,
)
