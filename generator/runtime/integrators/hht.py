"""HHT-alpha: the member ``alpha_m = 0``, ``alpha_f = -alpha`` of the generalised-alpha family.

In the form of Arnold and Bruels (see `mbdgen.runtime.steps.newmark_family`) the equations hold at
the new instant, so that order 2 is kept for constrained and driven mechanisms, as in the form of
Negrut and others. ``alpha = 0`` is the trapezoidal rule, ``-1/3`` has most numerical damping.

After Hilber, Hughes and Taylor (1977).
"""

from mbdgen.runtime.integrators.base import NEWTON_OPTIONS, Method
from mbdgen.runtime.methods.option import Option
from mbdgen.runtime.program.kernel_abi import Kernels
from mbdgen.runtime.solvers.dense_workspace import DenseWorkspace
from mbdgen.runtime.solvers.scheme_functions import SchemeFunctions, general_step
from mbdgen.runtime.stepping.error_estimators import FromAccelerations, of_alpha
from mbdgen.runtime.steps.dense_alpha_step import alpha_step
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
    alpha, tolerance, limit = options[0], options[1], int(options[2])
    return alpha_step(kernels, work, state, h, 0.0, -alpha, tolerance, limit, parts, dense)


METHOD = Method(
    name="hht",
    formulation="index3",
    order=2,
    general=__name__,
    needs="solve",
    kept=1,
    options=(
        Option("alpha", -0.05, -1 / 3, 0.0, "numerical damping, from 0 (none) to -1/3"),
        *NEWTON_OPTIONS,
    ),
    damps=lambda values: values[0] < 0.0,
    text="Newmark with forces of both ends of the step; damps fast oscillations, keeps order 2",
    estimate=FromAccelerations(lambda values: of_alpha(0.0, -values[0])),
    source="H. M. Hilber, T. J. R. Hughes, R. L. Taylor: Improved numerical dissipation for time "
    "integration algorithms in structural dynamics, Earthquake Eng. Struct. Dyn. 5 (1977) 283-292; "
    "D. Negrut, R. Rampalli, G. Ottarsson, A. Sajdak: On an implementation of the "
    "Hilber-Hughes-Taylor method in the context of index 3 differential-algebraic equations of "
    "multibody dynamics, J. Comput. Nonlinear Dyn. 2 (2007) 73-85.",
    presets={"light": {"alpha": -0.05}, "medium": {"alpha": -0.1}, "heavy": {"alpha": -0.3}},
)
