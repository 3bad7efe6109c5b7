"""Maggi's equations: independent velocities are integrated, dependent ones computed.

``v = L e - d`` from ``H v = -phi_t`` and ``e = v_independent``;
``L^T M L e_dot = L^T (f - M (L_dot e - d_dot))``. Velocities lie in the tangent plane at every
evaluation; positions drift. The partition into dependent and independent velocities is that of
`mbdgen.runtime.linalg.gauss_elimination`, and changes between two steps only.
"""

from mbdgen.runtime.formulations.base import Formulation
from mbdgen.runtime.program.kernel_abi import Kernels
from mbdgen.runtime.solvers.constraint_correction import velocities_by
from mbdgen.runtime.solvers.coordinate_partition import (
    change_at_step,
    eliminate_by_pivots,
    renew_partition,
)
from mbdgen.runtime.solvers.dense_workspace import DenseWorkspace
from mbdgen.runtime.solvers.saddle_point import fill_matrix
from mbdgen.runtime.solvers.scheme_functions import completes, eliminates
from mbdgen.runtime.system.run_workspace import OK, RunWorkspace, State

_velocities = velocities_by(change_at_step)


@eliminates
def by_partition(work: RunWorkspace, dense: DenseWorkspace) -> int:
    """See `mbdgen.runtime.solvers.coordinate_partition.eliminate_by_pivots`."""
    return eliminate_by_pivots(work, dense, 0.0)


@completes
def complete(kernels: Kernels, work: RunWorkspace, state: State, dense: DenseWorkspace) -> int:
    """``v <- L e - d``."""
    status = fill_matrix(kernels, work, state, dense, 0.0, 0.0)
    if status == OK:
        status = renew_partition(work, dense)
    return status if status != OK else int(_velocities(0, kernels, work, state, dense))


FORMULATION = Formulation(
    name="maggi",
    text="independent velocities are integrated, the others follow from the constraints",
    source="J. Garcia de Jalon, A. Callejo, A. F. Hidalgo: Efficient solution of Maggi's "
    "equations, J. Comput. Nonlinear Dyn. 7 (2012) 021003.",
    weights=lambda values: (0.0, 0.0, 1.0, 0.0),
    eliminate=by_partition,
    complete=complete,
    levels=("velocity", "acceleration"),
)
