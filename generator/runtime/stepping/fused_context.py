"""Contexts of fused steps: raw pointers, because arrays cost more than the arithmetic.

Passing and reference counting of typed arrays takes compiled code longer than a whole Newton
iteration of a small mechanism. A context is one array of integers: addresses of the vectors, their
lengths, addresses of the kernels. Python keeps the arrays alive; compiled code reads and writes
through pointers.
"""

import numpy as np

from mbdgen.runtime.program.function_addresses import address_of
from mbdgen.runtime.program.kernel_abi import Kernels
from mbdgen.runtime.system.run_workspace import SCRATCH_ROWS, State
from mbdgen.runtime.system.system import System
from mbdgen.runtime.system.system_data import FloatArray, IntArray

LANES = 4
"""SIMD width: vectors are processed in blocks of this length, the last one padded.

With eight, store-to-load delays in small systems cost more than wider sums save.
"""
MOST_STAGES = 14
"""Largest number of stages of explicit methods; the workspace has as many slopes, then factors."""

# Indices into a context: addresses of vectors and tables, ...
CLOCK, Q, V, A, LAM, W, P, M, X, OLD, NEW, STAGES, SCRATCH, COUNTERS = range(14)
# ... sizes (blocks are those of a vector of coordinates), ...
N_Q, N_LAM, BLOCKS, STALE = range(14, 18)
# ... and addresses of kernels.
FIRST_KERNEL = 18
SIZE = FIRST_KERNEL + len(Kernels._fields)


def _kernel(name: str) -> int:
    return FIRST_KERNEL + Kernels._fields.index(name)


NEWTON_STEP, CONSISTENT, FINISH = _kernel("newton"), _kernel("consistent"), _kernel("finish")
ACCELERATIONS, RETRACT = _kernel("accelerations"), _kernel("retract")
POWER, EXPAND = _kernel("power"), _kernel("expand")


class FusedContext:
    """Addresses of a state and of its workspace, with the arrays that must stay alive.

    Parameters
    ----------
    state : State
        The state that steps advance, its vectors padded
        (`mbdgen.runtime.system.run_workspace.new_state`).
    system : System
        Kernels, tables and weights.
    """

    def __init__(self, state: State, system: System) -> None:
        work, n_q, size = system.work, len(state.q), system.data.fused_size
        blocks = -(-n_q // LANES)
        self._factors, self._other_factors = np.zeros(size), np.zeros(size)
        self._slopes = np.zeros(MOST_STAGES * blocks * LANES + size)
        self._alive: list[FloatArray | IntArray] = [
            state.clock,
            state.q,
            state.v,
            state.a,
            state.lam,
            work.weights,
            work.p,
            work.m,
            np.zeros(len(work.x) + 1),  # X
            self._factors,  # OLD
            self._other_factors,  # NEW
            self._slopes,  # STAGES
            np.zeros(SCRATCH_ROWS * blocks * LANES + len(state.lam)),  # SCRATCH
            work.counters,
        ]
        self._kernels = system.kernels
        self.table = np.zeros(SIZE, np.int64)
        self.table[: len(self._alive)] = [a.ctypes.data for a in self._alive]
        self.table[N_Q], self.table[N_LAM], self.table[BLOCKS] = n_q, len(state.lam), blocks
        self.table[STALE] = 1  # the factors at the position of the state have not been computed yet
        self.table[FIRST_KERNEL:] = [address_of(kernel) for kernel in system.kernels]

    @property
    def old(self) -> FloatArray:
        """Data of the last step for the next one; steps exchange it with ``NEW``."""
        pair: list[FloatArray] = [self._factors, self._other_factors]
        return next(array for array in pair if array.ctypes.data == self.table[OLD])

    @property
    def stages(self) -> FloatArray:
        """Slopes of the last explicit step, one row each."""
        n_q, size = int(self.table[N_Q]), int(self.table[BLOCKS]) * LANES
        return self._slopes[: MOST_STAGES * size].reshape(MOST_STAGES, size)[:, :n_q]
