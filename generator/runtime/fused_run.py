"""Running a method's fused step, with the generic loop for steps that fused kernels refuse."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np

from mbdgen.runtime import lean
from mbdgen.runtime.compiled import direct
from mbdgen.runtime.context import STALE, Context
from mbdgen.runtime.course import Course
from mbdgen.runtime.data import FloatArray, IntArray
from mbdgen.runtime.first_class import address_of
from mbdgen.runtime.integrators.base import STEP_SIGNATURE, Method
from mbdgen.runtime.lean import Exchange
from mbdgen.runtime.regular import Room
from mbdgen.runtime.system import System
from mbdgen.runtime.work import State, new_state

if TYPE_CHECKING:
    from mbdgen.runtime.ensembles.block import Block

RUN = direct(lean.run)


class FusedRun:
    """The compiled loop of a method for fused kernels; see `mbdgen.runtime.steps.Steps`.

    Parameters
    ----------
    system, method, state
        What is integrated, how, and the motion whose addresses fused kernels get.
    """

    need_pivots = False
    budget = 10_000
    vectors = ()
    measured = np.zeros(0)

    def __init__(self, system: System, method: Method, state: State) -> None:
        step: Any = import_module(method.fused_step).step
        assert method.step is not None
        self._steps = step.address, address_of(method.step.compiled, STEP_SIGNATURE)
        self._alive = step, method
        self._system = system
        self._small, self._exchange = _exchange(system, state)
        self._context = Context(self._small, system)
        self._fixed = self._small, self._exchange, self._context.table, system.data.powered

    def restart(self) -> None:
        """Forget the factors at the state, and the state of fewer coordinates."""
        self._context.table[STALE] = 1
        self._exchange.ahead[0] = 1

    def run(self, course: Course, last: int, budget: int) -> int:
        """Integrate as `lean.run` does."""
        status: int = RUN(*self._steps, *course, *self._fixed, last, budget)
        return status

    def run_members(
        self, course: Course, last: int, budget: int, room: Room, block: "Block"
    ) -> int:
        """Compute members of an ensemble up to ``last``; see `mbdgen.runtime.ensembles.fused`."""
        from mbdgen.runtime.ensembles import fused  # compiled only when there is an ensemble

        members = room, self._system.q0, self._system.v0, block
        status: int = fused.RUN(*self._steps, *course, *self._fixed, *members, last, budget)
        return status

    @property
    def memory(self) -> tuple[FloatArray | IntArray, ...]:
        """Factors at the state, whether they are too old, and the reduced state."""
        stale = self._context.table[STALE : STALE + 1]
        shared = self._context.old, stale, self._exchange.ahead
        return (*shared, *self._small[1:]) if self._system.data.reduced else shared

    @property
    def left(self) -> FloatArray | None:
        """Those of `mbdgen.runtime.explicit_fused.step`, unless it works on fewer coordinates."""
        return None if self._system.data.reduced else self._context.stages


def _exchange(system: System, state: State) -> tuple[State, Exchange]:
    """Return the state that fused kernels work on, and where it is exchanged with the system's."""
    if system.data.reduced is None:
        return state, Exchange(np.zeros(0), np.zeros(0), np.zeros(1, np.int64))
    n_q, n_lam = system.data.reduced
    small = new_state(n_q, n_lam)._replace(clock=state.clock)
    full = np.zeros(3 * system.n_q + system.n_lam)
    return small, Exchange(full, np.zeros(3 * n_q + n_lam), np.ones(1, np.int64))
