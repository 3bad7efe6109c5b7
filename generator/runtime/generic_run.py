"""Running a method's step with single kernels and a linear solver: every method and layout."""

from typing import TYPE_CHECKING

import numpy as np

from mbdgen.runtime import loop
from mbdgen.runtime.compiled import direct
from mbdgen.runtime.course import Course
from mbdgen.runtime.data import FloatArray
from mbdgen.runtime.first_class import Function
from mbdgen.runtime.integrators.base import STEP, Method
from mbdgen.runtime.system import System

if TYPE_CHECKING:
    from mbdgen.runtime.ensembles.block import Block
    from mbdgen.runtime.regular import Room

RUN = direct(loop.run)


class GenericRun:
    """The compiled loop of a method; see `mbdgen.runtime.steps.Steps`.

    Parameters
    ----------
    system, method
        What is integrated, and how.
    """

    need_pivots = True
    budget = 100
    vectors = ()
    memory = ()
    measured = np.zeros(0)

    @property
    def left(self) -> FloatArray:
        """See `mbdgen.runtime.explicit.step`."""
        return self._system.work.scratch[2:]

    def __init__(self, system: System, method: Method) -> None:
        self._system = system
        assert method.step is not None
        self._step = Function.of(method.step.compiled, STEP), system.kernels

    def restart(self) -> None:
        """Forget nothing: factors and ``work.kept`` belong to the run."""

    def run(self, course: Course, last: int, budget: int) -> int:
        """Integrate as `loop.run` does."""
        status: int = RUN(*self._step, *course, last, budget)
        return status

    def run_members(
        self, course: Course, last: int, budget: int, room: "Room", block: "Block"
    ) -> int:
        """Compute members of an ensemble up to ``last``; see `mbdgen.runtime.ensembles.generic`."""
        from mbdgen.runtime.ensembles import generic  # compiled only when there is an ensemble

        q0, v0 = self._system.q0, self._system.v0
        status: int = generic.RUN(*self._step, *course, room, q0, v0, block, last, budget)
        return status
