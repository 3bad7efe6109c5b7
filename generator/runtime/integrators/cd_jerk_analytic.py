"""Central differences with a jerk that is evaluated exactly, not found from accelerations.

``q+ = q + h v + h^2/2 a + h^3/6 (alpha j + (1 - alpha) j-)``
``v+ = v + h a + h^2/2 ((1 - beta) j + beta j+)``, where ``a+`` and ``j+`` are those of ``q+, v+``

Against ``cd-jerk`` the parameter gamma is gone, and so is the cancellation for very small steps:
``j`` is no quotient of differences of accelerations. The order is 3 for every ``alpha``, which only
changes how long steps may be: with 1 the step limit is 1.95 over the frequency.
"""

from mbdgen.runtime.integrators.base import INNER_OPTIONS, Method
from mbdgen.runtime.methods.option import Option
from mbdgen.runtime.methods.publications import conditionally_explicit

METHOD = Method(
    name="cd-jerk-analytic",
    formulation="index1",
    order=3,
    general="mbdgen.runtime.steps.analytic_jerk_step",
    needs="jerk",
    kernels=("jerks",),
    rows=7,
    options=(
        Option("alpha", 1.0, -4.0, 4.0, "weight of the jerk in the displacement"),
        Option("beta", 1 / 3, 0.0, 2.0, "weight of the new jerk in the velocity"),
        *INNER_OPTIONS,
    ),
    order_with=lambda values: 3 if abs(values[1] - 1 / 3) < 1e-9 else 2,
    text="as cd-jerk, with exact jerks instead of those that accelerations imply",
    source=conditionally_explicit("equation (9.133)"),
)
