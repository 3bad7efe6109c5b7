"""Rank-revealing elimination for redundant constraint equations of known rank."""

from mbdgen.runtime.linalg.householder import by_householder
from mbdgen.runtime.linalg.orthonormal_bases import eliminator
from mbdgen.runtime.solvers.dense_workspace import DenseWorkspace
from mbdgen.runtime.solvers.scheme_functions import eliminates
from mbdgen.runtime.system.run_workspace import RunWorkspace

_eliminate = eliminator(by_householder)


@eliminates
def by_rank(work: RunWorkspace, dense: DenseWorkspace) -> int:
    """Eliminate by Householder reflections; see `eliminator`.

    After drift of positions, redundant equations of velocities or accelerations are inconsistent:
    they are solved in the least-squares sense.
    """
    return int(_eliminate(work, dense))
