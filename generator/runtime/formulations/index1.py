"""Index 1: constraints at the level of accelerations, all equations solved together.

``[M, -G^T; H, 0] [a; lam] = [f; gamma]``. Positions and velocities drift off the constraints.
"""

from mbdgen.runtime.formulations.base import Formulation

FORMULATION = Formulation(
    name="index1",
    text="accelerations and multipliers from one system; positions drift",
    source="C. W. Gear, B. Leimkuhler, G. K. Gupta: Automatic integration of Euler-Lagrange "
    "equations with constraints, J. Comput. Appl. Math. 12-13 (1985) 77-90.",
    weights=lambda values: (0.0, 0.0, 1.0, 0.0),
    redundant=False,
)
