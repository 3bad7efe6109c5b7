"""What Adams methods share: they integrate the polynomial through slopes of several instants.

The first steps are those of the classical Runge-Kutta method: its local error is of the order 5
that the methods have at most.
"""

from numba import types

from mbdgen.runtime.abi import KERNELS, Kernels
from mbdgen.runtime.compiled import internal, separate
from mbdgen.runtime.data import FloatArray
from mbdgen.runtime.dense.explicit import runge_kutta
from mbdgen.runtime.dense.history import EARLIER, FREE, PRESENT, row_of
from mbdgen.runtime.dense.parts import PARTS, Parts
from mbdgen.runtime.dense.room import DENSE, Dense
from mbdgen.runtime.option import Option
from mbdgen.runtime.tableau import CLASSICAL, nystroem
from mbdgen.runtime.work import REAL_ARRAY, STATE, WORK, State, Work

ORDER = Option("order", 3.0, 1.0, EARLIER + 1.0, "order of the formula", whole=True)
START = nystroem(*CLASSICAL)
"""Numbers of the first steps: constants of the methods, behind their options."""
ESTIMATE = FREE + 5
"""Row of an estimate of the local error; the start uses those before it."""
ROWS = ESTIMATE + 1


@internal
def add_slopes(dense: Dense, h: float, weights: FloatArray, first: int, y: FloatArray) -> None:
    """Add ``h`` times the weights from ``first`` on times the slopes of the history to ``y``."""
    for j in range(len(weights) - first):
        slope, weight = dense.rows[row_of(j)], h * weights[first + j]
        for i in range(len(y)):
            y[i] += weight * slope[i]


@separate(types.int64(KERNELS, WORK, STATE, types.float64, REAL_ARRAY, PARTS, DENSE))
def start(
    kernels: Kernels,
    work: Work,
    state: State,
    h: float,
    numbers: FloatArray,
    parts: Parts,
    dense: Dense,
) -> int:
    """``dense.y <-`` the end of a Runge-Kutta step."""
    slopes = dense.rows[FREE:]
    for i in range(len(dense.y)):
        slopes[0, i] = dense.rows[PRESENT, i]
    return runge_kutta(kernels, work, state, h, numbers, parts, dense, slopes)
