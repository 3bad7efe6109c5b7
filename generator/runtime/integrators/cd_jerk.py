"""Central differences with the jerk ``j``: three parameters, up to order 4, conditionally explicit.

``q+ = q + h v + h^2/2 a + h^3/6 (alpha j + (1 - alpha) j-)``
``v+ = v + h a + h^2/2 ((1 - beta) j + beta j+)``
``a+ = a + h ((1 - gamma) j + gamma j+) = g(t+, q+, v+)``, which is solved for ``j+``

``gamma = 1/2``, ``beta = 1/3`` and ``alpha = 5/4`` cancel most of the local error, but are
unstable: the spectral radius of an oscillator is ``1 + (omega h)^2 / 3``. With ``alpha = 3/4`` it
is 1 up to ``omega h = sqrt(3)``, with ``alpha = 1/4`` less than 1 up to ``sqrt(8/5)``; both have
order 3.
"""

from mbdgen.runtime.integrators.base import INNER_OPTIONS, Method
from mbdgen.runtime.methods.option import Option
from mbdgen.runtime.methods.publications import conditionally_explicit

METHOD = Method(
    name="cd-jerk",
    formulation="index1",
    order=3,
    general="mbdgen.runtime.steps.conditionally_explicit_step",
    rows=7,
    options=(
        Option("alpha", 0.75, -4.0, 4.0, "weight of the jerk in the displacement"),
        Option("beta", 1 / 3, 0.0, 2.0, "weight of the new jerk in the velocity"),
        Option("gamma", 0.5, 0.01, 2.0, "weight of the new jerk in the acceleration"),
        *INNER_OPTIONS,
    ),
    constants=(0.0, 2.0),
    # The error of jerks is (1/2 - gamma) h snap, to which beta must be adapted.
    order_with=lambda values: 3 if abs(values[2] - values[1] - 1 / 6) < 1e-9 else 2,
    text="central differences with the jerk and one further parameter",
    source=conditionally_explicit("section 9.2.6"),
    presets={
        "neutral": {"alpha": 3 / 4, "beta": 1 / 3, "gamma": 1 / 2},
        "damped": {"alpha": 1 / 4, "beta": 1 / 3, "gamma": 1 / 2},
        "optimal": {"alpha": 5 / 4, "beta": 1 / 3, "gamma": 1 / 2},
        "optimal-gamma": {"alpha": 5 / 4, "beta": 1 / 3, "gamma": 0.5005},
        "optimal-beta-gamma": {"alpha": 5 / 4, "beta": 1 / 3 + 0.01, "gamma": 0.5005},
    },
)
