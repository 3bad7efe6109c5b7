"""Baumgarte stabilisation: ``phi_ddot + 2 xi omega phi_dot + omega^2 phi = 0``.

In exact time constraint violations decay like an oscillator of frequency ``omega`` with damping
ratio ``xi``; explicit methods see it as a stiffness, so ``omega h`` must stay below about 1.

After Baumgarte (1972).
"""

from mbdgen.runtime.formulations.base import STABILISATION, Formulation, stabilised

FORMULATION = Formulation(
    name="baumgarte",
    text="index 1 with Baumgarte stabilisation: violations decay like a damped oscillator",
    source="J. Baumgarte: Stabilization of constraints and integrals of motion in dynamical "
    "systems, Comput. Methods Appl. Mech. Eng. 1 (1972) 1-16.",
    weights=lambda values: (*stabilised(*values), 0.0),
    options=STABILISATION,
    levels=(),
    redundant=False,
)
