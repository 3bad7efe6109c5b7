"""Index-1 augmented Lagrangian: Lagrange multipliers by iteration within every evaluation.

``(M + G^T alpha H) a = f + G^T (lam + alpha gamma)``,  ``lam -= alpha (H a - gamma)``

until convergence. ``gamma`` contains the stabilisation ``phi_ddot + 2 xi omega phi_dot + omega^2
phi = 0``. The limit does not depend on ``alpha``; redundant constraints need no special treatment.
It is combined with mass-orthogonal projections, which have the same matrix: without them the
stabilisation alone limits the violations.

After Bayo, García de Jalón and Serna (1988).
"""

from mbdgen.runtime.formulations.base import STABILISATION, Formulation, stabilised
from mbdgen.runtime.solvers.augmented_lagrangian import by_augmented_lagrangian, penalty_option

FORMULATION = Formulation(
    name="alf1",
    text="augmented Lagrangian: index 1, stabilised, multipliers by iteration",
    source="E. Bayo, J. Garcia de Jalon, M. A. Serna: A modified Lagrangian formulation for the "
    "dynamic analysis of constrained mechanical systems, "
    "Comput. Methods Appl. Mech. Eng. 71 (1988) 183-195.",
    weights=lambda values: (*stabilised(*values[1:]), 0.0),
    options=(
        penalty_option(1e4, 1e-6, 1e7, "kg"),
        *STABILISATION,
    ),
    eliminate=by_augmented_lagrangian,
    levels=(),
    projection="mass-orthogonal",
)
