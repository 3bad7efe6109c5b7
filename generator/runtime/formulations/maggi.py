"""Maggi's equations: independent velocities are integrated, the others follow.

``v = L e - d`` from ``H v = -phi_t`` and ``e = v_independent``;
``L^T M L e_dot = L^T (f - M (L_dot e - d_dot))``. Velocities lie in the tangent plane at every
evaluation; positions drift. The partition into dependent and independent velocities is that of
`mbdgen.runtime.dense.gauss`, and changes between two steps only.
"""

from mbdgen.runtime.abi import Kernels
from mbdgen.runtime.dense.correct import velocities_by
from mbdgen.runtime.dense.partition import change_at_step, eliminate_by_pivots, renew_partition
from mbdgen.runtime.dense.parts import completes, eliminates
from mbdgen.runtime.dense.room import Dense
from mbdgen.runtime.dense.saddle import fill_matrix
from mbdgen.runtime.formulations.base import Formulation
from mbdgen.runtime.work import OK, State, Work

_velocities = velocities_by(change_at_step)


@eliminates
def by_partition(work: Work, dense: Dense) -> int:
    """See `mbdgen.runtime.dense.partition.eliminate_by_pivots`."""
    return eliminate_by_pivots(work, dense, 0.0)


@completes
def complete(kernels: Kernels, work: Work, state: State, dense: Dense) -> int:
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
