"""Index 2: constraints at the level of velocities, ``phi_dot(t, q, v) = 0``."""

from mbdgen.runtime.formulations.base import Formulation

FORMULATION = Formulation(
    name="index2",
    text="velocities fulfil the constraints; positions drift, slowly",
    source="C. W. Gear: Differential-algebraic equation index transformations, "
    "SIAM J. Sci. Stat. Comput. 9 (1988) 39-47.",
    weights=lambda values: (0.0, 1.0, 0.0, 0.0),
    slope=None,
    levels=("velocity",),
    redundant=False,
)
