"""Adams methods: integration of the interpolation polynomial through slopes at several instants.

The starting procedure is the classical Runge-Kutta method: its local error is of order 5, the
highest order of these methods.
"""

from mbdgen.runtime.methods.option import Option
from mbdgen.runtime.program.compiled_functions import internal, separate
from mbdgen.runtime.program.kernel_abi import KERNELS, Kernels
from mbdgen.runtime.solvers.dense_workspace import DENSE, DenseWorkspace
from mbdgen.runtime.solvers.scheme_functions import PARTS, SchemeFunctions
from mbdgen.runtime.steps.butcher_tableau import CLASSICAL, nystroem
from mbdgen.runtime.steps.dense_runge_kutta_step import runge_kutta
from mbdgen.runtime.steps.multistep_history import EARLIER, FREE, PRESENT, row_of
from mbdgen.runtime.system.run_workspace import REAL_ARRAY, STATE, WORK, RunWorkspace, State
from mbdgen.runtime.system.system_data import FloatArray
from mbdgen.subset import types

ORDER = Option("order", 3.0, 1.0, EARLIER + 1.0, "order of the formula", whole=True)
START = nystroem(*CLASSICAL)
"""Runge-Kutta tableau of the starting procedure: constants of the methods, after their options."""
ESTIMATE = FREE + 5
"""Row of a local error estimate; the starting procedure uses those before it."""
ROWS = ESTIMATE + 1


@internal
def add_slopes(
    dense: DenseWorkspace, h: float, weights: FloatArray, first: int, y: FloatArray
) -> None:
    """Add ``h`` times the weights from ``first`` on times the slopes of the history to ``y``."""
    for j in range(len(weights) - first):
        slope, weight = dense.rows[row_of(j)], h * weights[first + j]
        for i in range(len(y)):
            y[i] += weight * slope[i]


@separate(types.int64(KERNELS, WORK, STATE, types.float64, REAL_ARRAY, PARTS, DENSE))
def start(
    kernels: Kernels,
    work: RunWorkspace,
    state: State,
    h: float,
    numbers: FloatArray,
    parts: SchemeFunctions,
    dense: DenseWorkspace,
) -> int:
    """Starting procedure: ``dense.y <-`` the end of a Runge-Kutta step."""
    slopes = dense.rows[FREE:]
    for i in range(len(dense.y)):
        slopes[0, i] = dense.rows[PRESENT, i]
    return runge_kutta(kernels, work, state, h, numbers, parts, dense, slopes)
