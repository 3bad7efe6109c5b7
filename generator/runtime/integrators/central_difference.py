"""Central differences and the conditionally explicit family with two parameters around them.

``q+ = q + h v + h^2/2 (alpha a + (1 - alpha) a-)``,  ``v+ = v + h ((1 - beta) a + beta a+)``,
``a+ = g(t+, q+, v+)``

``alpha = 1``, ``beta = 1/2`` are central differences without the cancellation of nearly equal
positions. ``alpha = 4/3`` cancels the leading error of a position; the global order stays 2, and
the stability limits are ``sqrt(12/5)`` and, for ``alpha = 2``, ``sqrt(4/3)`` over the frequency,
not 2.
"""

from mbdgen.errors import OptionError
from mbdgen.runtime.integrators.base import INNER_OPTIONS, Method
from mbdgen.runtime.methods.option import Option
from mbdgen.runtime.methods.publications import conditionally_explicit


def _check(values: tuple[float, ...]) -> None:
    alpha, beta, classical = values[0], values[1], values[4]
    if classical > 0.5 and (alpha != 1.0 or beta != 0.5):
        raise OptionError(
            f"The classical form of central differences has no alpha = {alpha:g}, beta = {beta:g}.",
            "Leave alpha and beta away, or classical.",
        )


METHOD = Method(
    name="central-difference",
    formulation="index1",
    order=2,
    general="mbdgen.runtime.steps.conditionally_explicit_step",
    step_alone="mbdgen.runtime.steps.next_position",
    levels=("position",),
    velocities=False,
    rows=6,
    options=(
        Option("alpha", 1.0, 0.0, 4.0, "weight of the acceleration in the displacement"),
        Option("beta", 0.5, 0.0, 2.0, "weight of the new acceleration in the velocity"),
        *INNER_OPTIONS,
        Option("classical", 0, 0, 1, "1: velocities are differences of positions", whole=True),
    ),
    constants=(1.0,),
    check=_check,
    order_with=lambda values: 2 if abs(values[1] - 0.5) < 1e-9 else 1,
    text="explicit except for velocity-dependent forces; by itself it enforces constraints at "
    "the next position",
    source="K.-J. Bathe: Finite Element Procedures, Prentice Hall 1996, section 9.2.1; "
    f"alpha, beta: {conditionally_explicit('section 9.2')}",
    presets={
        "cancellation-free": {"alpha": 1.0, "beta": 0.5},
        "classical": {"classical": 1.0},
        "third-degree": {"alpha": 4 / 3, "beta": 0.5},
        "alpha-2": {"alpha": 2.0, "beta": 0.5},
    },
)
