"""Index-3 augmented Lagrangian (ALI3), with projections of velocities and accelerations.

``M a = f + G^T lam``,  ``lam -= alpha (phi + mu phi_dot)`` until ``phi + mu phi_dot = 0``

together with an implicit relation: multiplied by its weight ``c_q`` of accelerations the matrix is
that of displacements, ``M + c_v C + c_q (K + G^T alpha H)``. Therefore convergence is slow when
``alpha c_q`` falls below the masses: small steps, and the neighbourhood of singular positions, need
a large ``alpha``. Velocities and positions are projected; the accelerations are those of the
equations at the projected state, which is nothing but the mass-orthogonal projection of ``M^-1 f``.

After Bayo and Ledesma (1996).
"""

from mbdgen.runtime.formulations.base import Formulation
from mbdgen.runtime.methods.option import Option
from mbdgen.runtime.solvers.augmented_lagrangian import by_augmented_lagrangian, penalty_option

FORMULATION = Formulation(
    name="alf3",
    text="augmented Lagrangian: index 3 in displacements, multipliers by iteration",
    source="J. Cuadrado, J. Cardenal, E. Bayo: Modeling and solution methods for efficient "
    "real-time simulation of multibody dynamics, Multibody Syst. Dyn. 1 (1997) 259-280.",
    weights=lambda values: (1.0, values[1], 0.0, 0.0),
    options=(
        penalty_option(1e12, 1e4, 1e15, "N/m"),
        Option("mu", 0.0, 0.0, 1e3, "weight of phi_dot beside phi, in s"),
    ),
    eliminate=by_augmented_lagrangian,
    slope=None,
    levels=("position",),
    projection="mass-orthogonal",
)
