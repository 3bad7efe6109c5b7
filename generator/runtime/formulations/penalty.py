"""Penalty method: constraints as stiff springs, dampers and masses with penalty factor ``alpha``.

``lam = -alpha (phi_ddot + 2 xi omega phi_dot + omega^2 phi)``

Joints have the compliance ``1/alpha``: a constant reaction causes the violation ``phi = -lam/(alpha
omega^2)``. Redundant constraints share their reactions. The norm of a quaternion is not penalised
but kept as a condition.

After Bayo, García de Jalón and Serna (1988).
"""

from mbdgen.runtime.formulations.base import STABILISATION, Formulation, stabilised
from mbdgen.runtime.methods.option import Option

FORMULATION = Formulation(
    name="penalty",
    text="constraints as stiff elements: violations of the size of the reactions over alpha",
    source="E. Bayo, J. Garcia de Jalon, M. A. Serna: A modified Lagrangian formulation for the "
    "dynamic analysis of constrained mechanical systems, "
    "Comput. Methods Appl. Mech. Eng. 71 (1988) 183-195.",
    weights=lambda values: (*stabilised(*values[1:]), 1.0 / values[0]),
    options=(Option("penalty", 1e7, 1e-6, 1e15, "penalty in kg"), *STABILISATION),
    levels=(),
    exact=False,
)
