"""Block-diagonal index 1 with Baumgarte stabilisation: thousands of bodies without joints."""

from mbdgen.runtime.formulations.base import STABILISATION, Formulation, stabilised
from mbdgen.runtime.solvers.block_solve import block_slope

FORMULATION = Formulation(
    name="blocks",
    text="accelerations block by block, where no joint connects bodies; violations decay",
    source="J. Baumgarte: Stabilization of constraints and integrals of motion in dynamical "
    "systems, Comput. Methods Appl. Mech. Eng. 1 (1972) 1-16.",
    weights=lambda values: (*stabilised(*values), 0.0),
    options=STABILISATION,
    slope=block_slope,
    solve=None,
    levels=(),
    redundant=False,
    whole=False,
)
