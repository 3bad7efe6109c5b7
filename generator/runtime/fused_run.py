"""Running a method's fused step, with the generic loop for steps that fused kernels refuse."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np

from mbdgen.runtime import lean
from mbdgen.runtime.context import STALE, Context
from mbdgen.runtime.data import FloatArray
from mbdgen.runtime.integrators.base import Method
from mbdgen.runtime.lean import Selection
from mbdgen.runtime.linear import Factors
from mbdgen.runtime.loop import Progress, Record
from mbdgen.runtime.regular import Room
from mbdgen.runtime.request import Schedule
from mbdgen.runtime.system import System
from mbdgen.runtime.work import State, new_state

if TYPE_CHECKING:
    from mbdgen.runtime.ensembles.block import Block


class FusedRun:
    """The compiled loop of a method for a system with fused kernels.

    Parameters
    ----------
    system, method, options, state, progress
        What is integrated, how, and from where.
    """

    def __init__(
        self,
        system: System,
        method: Method,
        options: FloatArray,
        state: State,
        progress: Progress,
    ) -> None:
        self._step: Any = import_module(method.fused_step).step
        self._generic = method.step
        self._system, self._options, self._state = system, options, state
        self._backup = new_state(system.n_q, system.n_lam)
        self._progress = progress
        self._small, self._selection = _selected(system, state)
        self._context = Context(self._small, system.work, system.data.fused_size)

    def run(
        self,
        plan: Schedule,
        last: int,
        budget: int,
        record: Record,
        factors: tuple[Factors, Factors],
    ) -> int:
        """Integrate as `lean.run` does."""
        status: int = lean.run(
            self._step,
            self._generic,
            self._system.kernels,
            self._system.work,
            self._state,
            self._backup,
            self._small,
            self._selection,
            self._context.table,
            self._progress,
            record,
            plan.instants,
            plan.substeps,
            last,
            budget,
            self._options,
            *factors,
            self._system.data.powered,
        )
        return status

    def run_members(
        self,
        plan: Schedule,
        last: int,
        budget: int,
        record: Record,
        factors: tuple[Factors, Factors],
        room: Room,
        block: "Block",
    ) -> int:
        """Compute members of an ensemble up to ``last``; see `mbdgen.runtime.ensembles.fused`."""
        from mbdgen.runtime.ensembles import fused  # compiled only when there is an ensemble

        status: int = fused.run(
            self._step,
            self._generic,
            self._system.kernels,
            self._system.work,
            room,
            self._state,
            self._backup,
            self._small,
            self._selection,
            self._context.table,
            self._progress,
            record,
            plan.instants,
            plan.substeps,
            last,
            budget,
            self._options,
            *factors,
            self._system.data.powered,
            self._system.q0,
            self._system.v0,
            block,
        )
        return status

    def forget(self) -> None:
        """Note that the state has been changed: the factors of its position must be made anew."""
        self._context.table[STALE] = 1


def _selected(system: System, state: State) -> tuple[State, Selection]:
    """Return the state that fused kernels work on, and how it lies in the state of the system."""
    kept = system.data.kept
    if kept is None:
        every = np.arange(0)
        return state, Selection(every, every, np.zeros(0))
    n_q, n_lam = len(kept.coordinates), len(kept.multipliers)
    small = new_state(n_q, n_lam)._replace(clock=state.clock)
    full = np.zeros(3 * system.n_q + system.n_lam)
    return small, Selection(kept.coordinates, kept.multipliers, full)


def has_fused_step(system: System, method: Method) -> bool:
    """Whether both the system and the method know fused kernels."""
    return bool(method.fused_step) and system.data.fused_size > 0
