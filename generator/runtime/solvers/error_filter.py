"""Filter of error estimates in the directions of stiff forces and of constraints (Shampine)."""

from mbdgen.runtime.program.compiled_functions import separate
from mbdgen.runtime.program.kernel_abi import KERNELS, Kernels
from mbdgen.runtime.solvers.constraint_combination import of_unknowns, of_velocities
from mbdgen.runtime.solvers.dense_workspace import COMPLIANCE, DENSE, DenseWorkspace
from mbdgen.runtime.solvers.saddle_point import eliminate_by_lu, fill_matrix, fill_weighted
from mbdgen.runtime.system.run_workspace import OK, REAL_ARRAY, STATE, WORK, RunWorkspace, State
from mbdgen.runtime.system.system_data import FloatArray
from mbdgen.subset import types


@separate(types.int64(KERNELS, WORK, STATE, DENSE, types.float64, REAL_ARRAY, REAL_ARRAY))
def damp_error(
    kernels: Kernels,
    work: RunWorkspace,
    state: State,
    dense: DenseWorkspace,
    c: float,
    e_q: FloatArray,
    e_v: FloatArray,
) -> int:
    """``(e_q, e_v) <- (I - c J)^-1 (e_q, e_v)`` with the Jacobian ``J`` at the state.

    With the unknown ``x``, the filtered errors are ``e_v + c x`` and ``e_q + c (e_v + c x)``, and
    ``x`` solves the linearised dynamics and imposed constraints: as in an implicit relation,
    ``[M + c C + c^2 K, -G^T; s H, d] [x; y] = -[K (e_q + c e_v) + C e_v; H (w_0 (e_q + c e_v) +
    w_1 e_v)]`` with ``s = w_2 + c w_1 + c^2 w_0``.
    """
    n_q, w, rhs, K = len(e_q), dense.numbers, dense.rhs, dense.K
    for i in range(n_q):
        e_q[i] += c * e_v[i]
    for i in range(len(rhs)):
        rhs[i] = 0.0
    status = fill_weighted(kernels, work, state, dense, 1.0, 0.0, 0.0)
    if status != OK:
        return status
    for i in range(n_q):
        for j in range(n_q):
            rhs[i] -= K[i, j] * e_q[j]
    status = fill_weighted(kernels, work, state, dense, 0.0, 1.0, 0.0)
    if status != OK:
        return status
    for i in range(n_q):
        for j in range(n_q):
            rhs[i] -= K[i, j] * e_v[j]
    status = fill_matrix(kernels, work, state, dense, c * c, c)
    if status != OK:
        return status
    for row in work.rows:
        rhs[row] = 0.0
        of_phi, of_phi_dot = of_velocities(work, w, row)
        scale = of_unknowns(work, w, row, c * c, c)
        for j in range(n_q):
            rhs[row] -= K[row, j] * (of_phi * e_q[j] + of_phi_dot * e_v[j]) / scale
        if row >= n_q:
            K[row, row] = w[COMPLIANCE] / scale
    status = eliminate_by_lu(work, dense)
    for i in range(n_q):
        e_v[i] += c * dense.x[i]
        e_q[i] += c * c * dense.x[i]
    return status
