"""Coordinate partitioning and matrix R: independent coordinates are integrated.

``phi(q_dependent, q_independent) = 0`` by Newton's method, ``v = R v_independent + v_t``,
``R^T M R a_independent = R^T (f - M S)`` with ``R = [-H_d^-1 H_i; 1]`` and ``S`` the accelerations
for ``a_independent = 0``. Constraints of all levels hold at every evaluation. The partition is that
of `mbdgen.runtime.linalg.gauss_elimination`, and changes between two steps only.

With implicit methods the relation is solved for all coordinates, and the dependent ones are
computed again at the end of the step, which removes the drift of one step.

After Serna, Avilés and García de Jalón (1982).
"""

from mbdgen.runtime.formulations.base import Formulation
from mbdgen.runtime.formulations.maggi import by_partition
from mbdgen.runtime.program.kernel_abi import Kernels
from mbdgen.runtime.solvers.constraint_correction import positions_by, velocities_by
from mbdgen.runtime.solvers.coordinate_partition import change_at_step, renew_partition
from mbdgen.runtime.solvers.dense_workspace import DenseWorkspace
from mbdgen.runtime.solvers.scheme_functions import completes
from mbdgen.runtime.system.run_workspace import OK, RunWorkspace, State

_positions, _velocities = positions_by(change_at_step), velocities_by(change_at_step)


@completes
def complete(kernels: Kernels, work: RunWorkspace, state: State, dense: DenseWorkspace) -> int:
    """Solve for dependent positions, then for dependent velocities."""
    status: int = _positions(0, kernels, work, state, dense)
    if status == OK:
        status = renew_partition(work, dense)
    return status if status != OK else int(_velocities(0, kernels, work, state, dense))


FORMULATION = Formulation(
    name="matrix-r",
    text="coordinate partitioning: independent coordinates are integrated, the others follow "
    "from constraints",
    source="R. A. Wehage, E. J. Haug: Generalized coordinate partitioning for dimension reduction "
    "in analysis of constrained dynamic systems, J. Mech. Des. 104 (1982) 247-255.",
    weights=lambda values: (0.0, 0.0, 1.0, 0.0),
    eliminate=by_partition,
    complete=complete,
    levels=("position", "velocity", "acceleration"),
)
