"""Run a method's fused step; the generic step where fused kernels reject a state."""

from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np

from mbdgen.runtime.initialisation.fast_initialisation import InitialisationWorkspace
from mbdgen.runtime.integrators.base import Method
from mbdgen.runtime.program.function_addresses import address_of
from mbdgen.runtime.stepping import fused_loop
from mbdgen.runtime.stepping.fused_context import STALE, FusedContext
from mbdgen.runtime.stepping.fused_loop import Exchange
from mbdgen.runtime.stepping.run_buffers import Course
from mbdgen.runtime.system.run_workspace import State, new_state
from mbdgen.runtime.system.system import System
from mbdgen.runtime.system.system_data import FloatArray, IntArray

if TYPE_CHECKING:
    from mbdgen.runtime.ensembles.member_block import MemberBlock

RUN: Callable[..., int] = fused_loop.run


class FusedRun:
    """The compiled loop of a method for fused kernels; see `Steps`.

    Parameters
    ----------
    system, method, state
        System, method, and the state whose addresses the fused kernels use.
    """

    need_pivots = False
    budget = 10_000
    vectors = ()
    measured = np.zeros(0)

    def __init__(self, system: System, method: Method, state: State) -> None:
        step: Any = import_module(method.fused_step).step
        assert method.step is not None
        self._steps = step.address, address_of(method.step.compiled)
        self._alive = step, method
        self._system = system
        self._small, self._exchange = _exchange(system, state)
        self._context = FusedContext(self._small, system)
        self._fixed = self._small, self._exchange, self._context.table, system.data.powered

    def restart(self) -> None:
        """Discard the factors at the state, and the reduced state."""
        self._context.table[STALE] = 1
        self._exchange.ahead[0] = 1

    def run(self, course: Course, last: int, budget: int) -> int:
        """Integrate as `fused_loop.run` does."""
        status: int = RUN(*self._steps, *course, *self._fixed, last, budget)
        return status

    def run_members(
        self,
        course: Course,
        last: int,
        budget: int,
        room: InitialisationWorkspace,
        block: "MemberBlock",
    ) -> int:
        """Compute members of an ensemble up to ``last``; see `fused_members`."""
        from mbdgen.runtime.ensembles import (
            fused_members,  # compiled only when there is an ensemble
        )

        members = room, self._system.q0, self._system.v0, block
        status: int = fused_members.RUN(*self._steps, *course, *self._fixed, *members, last, budget)
        return status

    @property
    def memory(self) -> tuple[FloatArray | IntArray, ...]:
        """Factors at the state, their stale flag, and the reduced state."""
        stale = self._context.table[STALE : STALE + 1]
        shared = self._context.old, stale, self._exchange.ahead
        return (*shared, *self._small[1:]) if self._system.data.reduced else shared

    @property
    def left(self) -> FloatArray | None:
        """Stage values of `step`, unless it works on a reduced system."""
        return None if self._system.data.reduced else self._context.stages


def _exchange(system: System, state: State) -> tuple[State, Exchange]:
    """Return the state that fused kernels work on, and its exchange with the system's state."""
    if system.data.reduced is None:
        return state, Exchange(np.zeros(0), np.zeros(0), np.zeros(1, np.int64))
    n_q, n_lam = system.data.reduced
    small = new_state(n_q, n_lam)._replace(clock=state.clock)
    full = np.zeros(3 * system.n_q + system.n_lam)
    return small, Exchange(full, np.zeros(3 * n_q + n_lam), np.ones(1, np.int64))
