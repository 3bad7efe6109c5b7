"""Mass-weighted projection: the smallest change in the metric of the mass matrix.

``[M, -G^T; H, 0] [dq; mu] = [0; -phi]`` until ``phi = 0``, then the same for the velocities.
"""

from mbdgen.runtime.formulations.base import by_lu
from mbdgen.runtime.projections.base import Projector

PROJECTOR = Projector(
    name="mass",
    text="smallest change in the metric of the mass matrix",
    source="W. Blajer: Elimination of constraint violation and accuracy aspects in numerical "
    "simulation of multibody systems, Multibody Syst. Dyn. 7 (2002) 265-284.",
    change=by_lu,
)
