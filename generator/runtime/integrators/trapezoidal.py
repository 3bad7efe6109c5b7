"""Trapezoidal rule: implicit, of order 2, without numerical damping.

``q+ = q + h/2 (v + v+)``,  ``v+ = v + h/2 (a + a+)``: Newmark's formula with ``beta = 1/4``,
``gamma = 1/2``. For index 3 without projections its reactions oscillate and grow.
"""

from mbdgen.runtime.integrators.base import NEWTON_OPTIONS, Method
from mbdgen.runtime.program.kernel_abi import Kernels
from mbdgen.runtime.solvers.dense_workspace import DenseWorkspace
from mbdgen.runtime.solvers.scheme_functions import SchemeFunctions, general_step
from mbdgen.runtime.stepping.error_estimators import FromAccelerations, of_newmark
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
    tolerance, limit = options[0], int(options[1])
    return collocation_step(kernels, work, state, h, 1.0, 0.25, 0.5, tolerance, limit, parts, dense)


METHOD = Method(
    name="trapezoidal",
    formulation="index3",
    order=2,
    general=__name__,
    needs="solve",
    relates_z=True,
    options=NEWTON_OPTIONS,
    text="implicit trapezoidal rule, A-stable, no numerical damping",
    estimate=FromAccelerations(lambda values: of_newmark(0.25, 0.5)),
    source="G. G. Dahlquist: A special stability problem for linear multistep methods, "
    "BIT 3 (1963) 27-43.",
)
