"""The elimination for equations that may depend on each other: their rank is known beforehand."""

from mbdgen.runtime.dense.basis import eliminator
from mbdgen.runtime.dense.householder import by_householder
from mbdgen.runtime.dense.parts import eliminates
from mbdgen.runtime.dense.room import Dense
from mbdgen.runtime.work import Work

_eliminate = eliminator(by_householder)


@eliminates
def by_rank(work: Work, dense: Dense) -> int:
    """Eliminate by Householder's reflections, as `mbdgen.runtime.dense.basis.eliminator` says.

    Where positions have drifted, dependent equations of velocities or accelerations contradict each
    other: they are fulfilled as well as they can be together.
    """
    return int(_eliminate(work, dense))
