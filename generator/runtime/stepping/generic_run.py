"""Run a method's step with single kernels and a linear solver, for all methods and layouts."""

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from mbdgen.runtime.integrators.base import STEP, Method
from mbdgen.runtime.program.function_addresses import AddressedFunction
from mbdgen.runtime.stepping import time_loop
from mbdgen.runtime.stepping.run_buffers import Course
from mbdgen.runtime.system.system import System
from mbdgen.runtime.system.system_data import FloatArray

if TYPE_CHECKING:
    from mbdgen.runtime.ensembles.member_block import MemberBlock
    from mbdgen.runtime.initialisation.fast_initialisation import InitialisationWorkspace

RUN: Callable[..., int] = time_loop.run


class GenericRun:
    """The compiled loop of a method; see `mbdgen.runtime.stepping.stepper_selection.Steps`.

    Parameters
    ----------
    system, method
        System and method.
    """

    need_pivots = True
    budget = 100
    vectors = ()
    memory = ()
    measured = np.zeros(0)

    @property
    def left(self) -> FloatArray:
        """See `mbdgen.runtime.steps.runge_kutta_step.step`."""
        return self._system.work.scratch[2:]

    def __init__(self, system: System, method: Method) -> None:
        self._system = system
        assert method.step is not None
        self._step = AddressedFunction.of(method.step.compiled, STEP), system.kernels

    def restart(self) -> None:
        """Do nothing: factors and ``work.kept`` belong to the run."""

    def run(self, course: Course, last: int, budget: int) -> int:
        """Integrate as `time_loop.run` does."""
        status: int = RUN(*self._step, *course, last, budget)
        return status

    def run_members(
        self,
        course: Course,
        last: int,
        budget: int,
        room: "InitialisationWorkspace",
        block: "MemberBlock",
    ) -> int:
        """Compute members of an ensemble up to ``last``; see `generic_members`."""
        from mbdgen.runtime.ensembles import (
            generic_members,  # compiled only when there is an ensemble
        )

        q0, v0 = self._system.q0, self._system.v0
        status: int = generic_members.RUN(*self._step, *course, room, q0, v0, block, last, budget)
        return status
