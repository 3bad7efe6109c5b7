"""Wilson-theta method: linear acceleration up to ``t + theta h``, where the equations hold.

It is collocation with ``beta = 1/6`` and ``gamma = 1/2``; ``theta = 1`` is the method of linear
acceleration, which is stable for small steps only.

After Wilson, Farhoomand and Bathe (1973).
"""

from mbdgen.runtime.integrators.base import NEWTON_OPTIONS, Method
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
    theta, tolerance, limit = options[0], options[1], int(options[2])
    return collocation_step(
        kernels, work, state, h, theta, 1.0 / 6.0, 0.5, tolerance, limit, parts, dense
    )


METHOD = Method(
    name="wilson",
    formulation="index3",
    order=2,
    general=__name__,
    needs="solve",
    relates_z=True,
    at_ends=False,
    kept=1,
    options=(
        Option("theta", 1.4, 1.0, 4.0, "collocation at t + theta h; stable above 1.366"),
        *NEWTON_OPTIONS,
    ),
    damps=lambda values: True,
    text="linear acceleration to a point beyond the step end; damps fast oscillations",
    source="E. L. Wilson, I. Farhoomand, K. J. Bathe: Nonlinear dynamic analysis of complex "
    "structures, Earthquake Eng. Struct. Dyn. 1 (1973) 241-252.",
)
