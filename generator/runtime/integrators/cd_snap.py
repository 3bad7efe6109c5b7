"""Central differences with jerk ``j`` and snap ``s``: four parameters, order 4.

``q+ = q + h v + h^2/2 a + h^3/6 j + h^4/24 (alpha s + (1 - alpha) s-)``
``v+ = v + h a + h^2/2 j + h^3/6 ((1 - beta) s + beta s+)``
``a+ = a + h j + h^2/2 ((1 - gamma) s + gamma s+) = g(t+, q+, v+)``, which is solved for ``s+``
``j+ = j + h ((1 - zeta) s + zeta s+)``

With ``beta = gamma = zeta = 1`` and ``alpha = 0`` the spectral radius of an oscillator is 1 up to
``omega h = sqrt(2)``. The published ``alpha = 4/5`` was claimed to be stable up to 1; it has an
eigenvalue ``-(1 + alpha/3 (omega h)^2)`` and grows at every step. So does every ``alpha > 0``.
The parameters with the smallest local error, ``optimal``, grow by a factor of 3.7 in each step.
"""

from mbdgen.runtime.integrators.base import INNER_OPTIONS, Method
from mbdgen.runtime.methods.option import Option
from mbdgen.runtime.methods.publications import conditionally_explicit

METHOD = Method(
    name="cd-snap",
    formulation="index1",
    order=4,
    general="mbdgen.runtime.steps.conditionally_explicit_step",
    rows=8,
    options=(
        Option("alpha", 0.0, -4.0, 4.0, "weight of the snap in the displacement"),
        Option("beta", 1.0, 0.0, 4.0, "weight of the new snap in the velocity"),
        Option("gamma", 1.0, 0.01, 4.0, "weight of the new snap in the acceleration"),
        Option("zeta", 1.0, 0.0, 4.0, "weight of the new snap in the jerk"),
        *INNER_OPTIONS,
    ),
    constants=(0.0, 3.0),
    # Errors of snaps and jerks are multiples of h and h^2 that cancel in the velocity.
    order_with=lambda values: 4 if abs(values[3] + 2 * values[1] - 3 * values[2]) < 1e-9 else 3,
    text="central differences with jerk and snap and two further parameters",
    source=conditionally_explicit("section 9.2.6"),
    presets={
        "neutral": {"alpha": 0.0, "beta": 1.0, "gamma": 1.0, "zeta": 1.0},
        "published": {"alpha": 4 / 5, "beta": 1.0, "gamma": 1.0, "zeta": 1.0},
        "optimal": {"alpha": 6 / 5, "beta": 1 / 4, "gamma": 1 / 3, "zeta": 1 / 2},
    },
)
