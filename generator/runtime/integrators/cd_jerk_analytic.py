"""Central differences with an exactly evaluated jerk instead of differences of accelerations.

``q+ = q + h v + h^2/2 a + h^3/6 (alpha j + (1 - alpha) j-)``
``v+ = v + h a + h^2/2 ((1 - beta) j + beta j+)``, where ``a+`` and ``j+`` are those of ``q+, v+``

Unlike ``cd-jerk`` it has no parameter gamma and no cancellation for very small steps. The order is
3 for every ``alpha``, which affects only the stability limit: with 1 it is 1.95 over the frequency.
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
    text="cd-jerk with exact jerks instead of those implied by accelerations",
    source=conditionally_explicit("equation (9.133)"),
)
