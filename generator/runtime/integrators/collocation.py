"""Collocation after Hilber and Hughes: Newmark's formula up to ``t + theta h``.

It contains Newmark (``theta = 1``) and Wilson (``beta = 1/6``). It is unconditionally stable if
``gamma = 1/2``, ``theta >= 1`` and ``(2 theta^2 - 1)/(4 (2 theta^3 - 1)) <= beta <=
theta/(2 (theta + 1))``; the presets are the pairs recommended by its authors, from little to much
numerical damping.
"""

from mbdgen.errors import OptionError
from mbdgen.runtime.integrators.base import NEWTON_OPTIONS, Method, newmark_options
from mbdgen.runtime.methods.option import Option
from mbdgen.runtime.program.kernel_abi import Kernels
from mbdgen.runtime.solvers.dense_workspace import DenseWorkspace
from mbdgen.runtime.solvers.scheme_functions import SchemeFunctions, general_step
from mbdgen.runtime.steps.collocation_step import collocation_step
from mbdgen.runtime.system.run_workspace import RunWorkspace, State
from mbdgen.runtime.system.system_data import FloatArray


@general_step
def step(
    kernels: Kernels,
    work: RunWorkspace,
    state: State,
    h: float,
    options: FloatArray,
    parts: SchemeFunctions,
    dense: DenseWorkspace,
) -> int:
    """Advance by one step; see `mbdgen.runtime.solvers.scheme_functions`."""
    theta, beta, gamma = options[0], options[1], options[2]
    tolerance, limit = options[3], int(options[4])
    return collocation_step(
        kernels, work, state, h, theta, beta, gamma, tolerance, limit, parts, dense
    )


def _check(values: tuple[float, ...]) -> None:
    if values[2] < 0.5:
        raise OptionError(
            f"Collocation with gamma = {values[2]:g} < 1/2 has negative damping.",
            "Choose gamma = 1/2.",
        )


METHOD = Method(
    name="collocation",
    formulation="index3",
    order=2,
    general=__name__,
    needs="solve",
    relates_z=True,
    at_ends=False,
    kept=1,
    options=(
        Option("theta", 1.114764, 1.0, 4.0, "collocation at t + theta h"),
        *newmark_options(beta=0.21),
        *NEWTON_OPTIONS,
    ),
    check=_check,
    order_with=lambda values: 2 if abs(values[2] - 0.5) < 1e-9 else 1,
    damps=lambda values: True,
    text="Newmark's formula with collocation beyond the step end; damps fast oscillations",
    source="H. M. Hilber, T. J. R. Hughes: Collocation, dissipation and 'overshoot' for time "
    "integration schemes in structural dynamics, Earthquake Eng. Struct. Dyn. 6 (1978) 99-117.",
    presets={
        "light": {"theta": 1.021712, "beta": 0.24},
        "medium": {"theta": 1.114764, "beta": 0.21},
        "heavy": {"theta": 1.287301, "beta": 0.18},
        "wilson": {"theta": 1.420815, "beta": 1 / 6},
    },
)
