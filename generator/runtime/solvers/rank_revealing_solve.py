"""The elimination for equations that may depend on each other: their rank is known beforehand."""

from mbdgen.runtime.linalg.householder import by_householder
from mbdgen.runtime.linalg.orthonormal_bases import eliminator
from mbdgen.runtime.solvers.dense_workspace import DenseWorkspace
from mbdgen.runtime.solvers.scheme_functions import eliminates
from mbdgen.runtime.system.run_workspace import RunWorkspace

_eliminate = eliminator(by_householder)


@eliminates
def by_rank(work: RunWorkspace, dense: DenseWorkspace) -> int:
    """Eliminate by Householder's reflections, as `eliminator` says.

    Where positions have drifted, dependent equations of velocities or accelerations contradict each
    other: they are fulfilled as well as they can be together.
    """
    return int(_eliminate(work, dense))
