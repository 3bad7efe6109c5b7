"""DIMCD, direct integration by central differences: explicit, with positions as unknowns.

``v = (x+ - x-) / 2h``,  ``a = (x+ - 2x + x-) / h^2``,  ``M a = f(t, x, v) + G(x)^T lam``,
``phi(t + h, x+) = 0``

Equilibrium at ``t`` gives the position at ``t + h``. Only gyroscopic terms, velocity-dependent
forces and the constraints are nonlinear in it: they are solved by Newton's method with exact
derivatives. The constraints of velocity and acceleration hold to the order of the method. Positions
are computed one step further than the last instant: drivers must be defined there.

Variable steps use the parabola through three positions at unequal distances; after a change of the
step size the error of one step is of lower order.
"""

from mbdgen.runtime.integrators.base import NEWTON_OPTIONS, Method
from mbdgen.runtime.methods.option import Option
from mbdgen.runtime.methods.publications import CENTRAL_DIFFERENCES

METHOD = Method(
    name="dimcd",
    formulation="constraints of position at the next instant, two null spaces",
    order=2,
    options=(
        Option("predictor", 3, 0, 3, "0: x, 1: last velocity, 2: line, 3: parabola", whole=True),
        Option("stop", 0, 0, 1, "convergence test: 0: positions, 1: velocities", whole=True),
        Option("split", 0, 0, 1, "1: inertia is evaluated once per step", whole=True),
        *NEWTON_OPTIONS,
    ),
    general="mbdgen.runtime.steps.dimcd_step",
    needs="nothing",
    kind="explicit",
    rows=2,
    levels=("position",),
    text="explicit central differences, exact Newton, minimal coordinates",
    source=CENTRAL_DIFFERENCES,
)
