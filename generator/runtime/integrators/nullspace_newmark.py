"""Newmark's formula in minimal coordinates (null space), updated at every Newton iterate.

The constraints of position, velocity and acceleration are linearised at the current iterate of the
end of the step; all admissible ``q, v, a`` are affine functions of minimal coordinates ``s`` and
their rates (`mbdgen.runtime.solvers.minimal_coordinates`), to which Newmark's formula is applied.
The reduced equations are unconstrained, so the classical stability limits hold: the trapezoidal
rule needs no damping, and ``beta < gamma / 2`` is stable up to ``h omega = 1 / sqrt(gamma/2 -
beta)`` for the highest frequency ``omega`` of the reduced equations. All constraint levels are
satisfied to round-off.
"""

from mbdgen.runtime.integrators import newmark
from mbdgen.runtime.integrators.base import Method
from mbdgen.runtime.methods.publications import NULL_SPACE

METHOD = Method(
    name="nullspace-newmark",
    formulation="minimal coordinates of the null space, constraints of three levels",
    order=2,
    general="mbdgen.runtime.steps.nullspace_newmark_step",
    needs="nothing",
    kind="implicit",
    velocities=False,
    kernels=("slopes",),
    measures=("max_frequency", "step_limit"),
    options=newmark.METHOD.options[:4],
    check=newmark.METHOD.check,
    order_with=newmark.order_of,
    damps=newmark.damps,
    text="implicit, Newmark's formula in minimal coordinates of every iterate",
    source=f"{NULL_SPACE}.",
    presets=newmark.METHOD.presets,
)
