"""Running a method's step with single kernels and a linear solver: every method and layout."""

from typing import TYPE_CHECKING

from mbdgen.runtime import loop
from mbdgen.runtime.compiled import direct
from mbdgen.runtime.data import FloatArray
from mbdgen.runtime.integrators.base import Method
from mbdgen.runtime.linear import Factors
from mbdgen.runtime.recording import Progress, Record
from mbdgen.runtime.request import Schedule
from mbdgen.runtime.system import System
from mbdgen.runtime.work import State, new_state

if TYPE_CHECKING:
    from mbdgen.runtime.ensembles.block import Block
    from mbdgen.runtime.regular import Room

RUN = direct(loop.run)


class GenericRun:
    """The compiled loop of a method; see `mbdgen.runtime.steps.Steps`.

    Parameters
    ----------
    system, method, options, state, progress
        What is integrated, how, and from where.
    """

    need_pivots = True
    budget = 100

    def __init__(
        self,
        system: System,
        method: Method,
        options: FloatArray,
        state: State,
        progress: Progress,
    ) -> None:
        self._system, self._method, self._options = system, method, options
        self._state, self._progress = state, progress
        self._backup = new_state(system.n_q, system.n_lam)

    def run(
        self,
        plan: Schedule,
        last: int,
        budget: int,
        record: Record,
        factors: tuple[Factors, Factors],
    ) -> int:
        """Integrate as `loop.run` does."""
        status: int = RUN(
            self._method.step,
            self._system.kernels,
            self._system.work,
            self._state,
            self._backup,
            self._progress,
            record,
            plan.instants,
            plan.substeps,
            last,
            budget,
            self._options,
            *factors,
        )
        return status

    def run_members(
        self,
        plan: Schedule,
        last: int,
        budget: int,
        record: Record,
        factors: tuple[Factors, Factors],
        room: "Room",
        block: "Block",
    ) -> int:
        """Compute members of an ensemble up to ``last``; see `mbdgen.runtime.ensembles.generic`."""
        from mbdgen.runtime.ensembles import generic  # compiled only when there is an ensemble

        status: int = generic.RUN(
            self._method.step,
            self._system.kernels,
            self._system.work,
            room,
            self._state,
            self._backup,
            self._progress,
            record,
            plan.instants,
            plan.substeps,
            last,
            budget,
            self._options,
            *factors,
            self._system.q0,
            self._system.v0,
            block,
        )
        return status

    def forget(self) -> None:
        """Nothing is kept from one call to the next."""
