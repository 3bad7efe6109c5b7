"""What fused steps work on: bare addresses, because arrays cost more than the mathematics.

Passing and releasing typed arrays takes compiled code longer than a whole Newton iteration of a
small mechanism. A context is one array of integers: addresses of the vectors, then their lengths.
Python keeps the arrays alive; compiled code reads and writes through pointers.
"""

from typing import Any

import numpy as np
from numba import types
from numba.extending import intrinsic

from mbdgen.runtime.data import FloatArray, IntArray
from mbdgen.runtime.work import State, Work

REALS = types.CPointer(types.float64)
INTEGERS = types.CPointer(types.int64)

# Places in a context: addresses ...
CLOCK, Q, V, A, LAM, W, P, M, X, OLD, NEW, SCRATCH, COUNTERS = range(13)
# ... and sizes.
N_Q, N_LAM, STALE = 13, 14, 15
SIZE = 16


def _pointer(kind: Any) -> Any:
    @intrinsic
    def pointer(typing_context: Any, address: Any) -> Any:
        def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return builder.inttoptr(args[0], context.get_value_type(signature.return_type))

        return kind(types.int64), code

    return pointer


reals = _pointer(REALS)
"""Pointer to real numbers at an address (for compiled code)."""
integers = _pointer(INTEGERS)
"""Pointer to integers at an address (for compiled code)."""


class Context:
    """The addresses of a state and of work space, with the arrays that must stay alive.

    Parameters
    ----------
    state : State
        The motion that steps advance.
    work : Work
        Tables, weights and scratch.
    fused_size : int
        Length of what `consistent` and `finish` write.
    """

    def __init__(self, state: State, work: Work, fused_size: int) -> None:
        self._old, self._new = np.zeros(fused_size), np.zeros(fused_size)
        self._x = np.zeros(len(work.x) + 1)
        arrays: list[FloatArray | IntArray] = [
            state.clock,
            state.q,
            state.v,
            state.a,
            state.lam,
            work.weights,
            work.p,
            work.m,
            self._x,
            self._old,
            self._new,
            work.scratch,
            work.counters,
        ]
        self._alive = arrays
        self.table = np.zeros(SIZE, np.int64)
        self.table[: len(arrays)] = [a.ctypes.data for a in arrays]
        self.table[N_Q] = len(state.q)
        self.table[N_LAM] = len(state.lam)
        self.table[STALE] = 1  # the factors of the position of the state have not been made yet
