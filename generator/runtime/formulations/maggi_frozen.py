"""Maggi's equations with kinematic characteristics (quasi-velocities) along a frozen basis.

``v = L e - d`` from ``H v = -phi_t`` and ``e = F v``, where ``F`` is a null space of ``H``, frozen
for a number of steps, fewer if the tangent space rotates: no independent coordinates have to be
selected. While it is frozen, ``F`` leaves the tangent space: forces multiplied by it would still
contain reactions, and their omission is an error of first order in the time for which ``F`` is
frozen (docs/decisions/051-frozen-bases.md). The dynamics therefore use the current null space.
"""

import numpy as np

from mbdgen.runtime.formulations.base import Formulation
from mbdgen.runtime.linalg.dense_lu import lu, lu_solve
from mbdgen.runtime.linalg.householder import by_householder
from mbdgen.runtime.linalg.jacobi_svd import singular_values
from mbdgen.runtime.linalg.orthonormal_bases import constraints_by, smallest_solution
from mbdgen.runtime.linalg.pivot_reuse import AGE, BASIS
from mbdgen.runtime.methods.option import Option
from mbdgen.runtime.program.compiled_functions import internal
from mbdgen.runtime.program.kernel_abi import Kernels
from mbdgen.runtime.solvers.constraint_correction import velocities_by
from mbdgen.runtime.solvers.dense_workspace import AT_END, OPTIONS, DenseWorkspace
from mbdgen.runtime.solvers.equation_blocks import write_solution
from mbdgen.runtime.solvers.rank_revealing_solve import by_rank
from mbdgen.runtime.solvers.saddle_point import fill_matrix
from mbdgen.runtime.solvers.scheme_functions import completes
from mbdgen.runtime.system.run_workspace import OK, RunWorkspace, State
from mbdgen.runtime.system.system_data import FloatArray

GOOD = 0.7
"""Cosine of its angle to the tangent plane below which a basis is made anew at the end of a step: a
body that has turned by 180 degrees since would leave ``[H; F]`` singular."""

_constraints = constraints_by(by_householder)


@internal
def _change_with_basis(change: int, work: RunWorkspace, dense: DenseWorkspace) -> int:
    """``[B; F] x = [B H^+ c; 0]``, where ``B`` are orthonormal rows that span those of ``H``."""
    status, of_h, c = _constraints(work, dense)
    if status != OK:
        return int(status)
    n_q, rank = of_h.basis.shape[0], of_h.R.shape[0]
    matrix, wanted = of_h.basis.copy(), np.zeros(n_q)
    wanted[:rank] = of_h.basis[:rank] @ smallest_solution(of_h, c)
    matrix[rank:] = dense.held[BASIS : BASIS + n_q - rank, :n_q]
    order, x = np.empty(n_q, np.int64), np.empty(n_q)
    status = lu(matrix, order)
    if status == OK:
        lu_solve(matrix, order, wanted, x)
        write_solution(dense, x, c[:0])
    return int(status)


@internal
def _in_common(one: FloatArray, other: FloatArray) -> float:
    """Cosine of the largest principal angle between the spaces of two sets of orthonormal rows."""
    cosine = 1.0
    if one.shape[0] > 0:
        for value in singular_values(one @ other.T):
            cosine = min(cosine, value)
    return cosine


@internal
def _freeze(work: RunWorkspace, dense: DenseWorkspace) -> int:
    """``F <-`` the null space of ``H`` in ``dense.K``, unless the one there is good enough."""
    age = dense.held_order[AGE, 0]
    if age > 0 and dense.sizes[AT_END] == 0:
        return OK
    status, of_h, _ = _constraints(work, dense)
    if status != OK:
        return int(status)
    n_q, rank = of_h.basis.shape[0], of_h.R.shape[0]
    now, frozen = of_h.basis[rank:].copy(), dense.held[BASIS : BASIS + n_q - rank, :n_q]
    young = 0 < age <= dense.numbers[OPTIONS] - 1.0
    if young and _in_common(now, frozen.copy()) >= GOOD:
        dense.held_order[AGE, 0] = age + 1
        return OK
    frozen[:, :] = now
    dense.held_order[AGE, 0] = 1
    return OK


_velocities = velocities_by(_change_with_basis)


@completes
def complete(kernels: Kernels, work: RunWorkspace, state: State, dense: DenseWorkspace) -> int:
    """``v <- L e - d``."""
    status = fill_matrix(kernels, work, state, dense, 0.0, 0.0)
    if status == OK:
        status = _freeze(work, dense)
    return status if status != OK else int(_velocities(0, kernels, work, state, dense))


FORMULATION = Formulation(
    name="maggi-frozen",
    text="as maggi, with velocities along a basis that is frozen for some steps",
    source="N. K. Mani, E. J. Haug, K. E. Atkinson: Application of singular value decomposition "
    "for analysis of mechanical system dynamics, J. Mech. Trans. Autom. Des. 107 (1985) 82-87.",
    weights=lambda values: (0.0, 0.0, 1.0, 0.0),
    options=(
        Option("frozen", 10.0, 1.0, 1e6, "steps for which the basis is frozen at most", whole=True),
    ),
    eliminate=by_rank,
    complete=complete,
    levels=("velocity", "acceleration"),
)
