"""Index 3: DAE of Lagrange's equations of the first kind with ``phi(t, q) = 0``."""

from mbdgen.runtime.formulations.base import Formulation

FORMULATION = Formulation(
    name="index3",
    text="positions fulfil the constraints; velocities and accelerations only in the limit",
    source="P. Loetstedt, L. Petzold: Numerical solution of nonlinear differential equations "
    "with algebraic constraints I, Math. Comput. 46 (1986) 491-516.",
    weights=lambda values: (1.0, 0.0, 0.0, 0.0),
    slope=None,
    levels=("position",),
)
