"""Single steps of a scheme from any state and memory: the method as a discrete map."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from mbdgen.runtime.linalg.run_factors import RunFactors
from mbdgen.runtime.methods.scheme import Scheme
from mbdgen.runtime.monitors import recorder
from mbdgen.runtime.stepping.run_buffers import Course
from mbdgen.runtime.stepping.stepper_selection import new_scheme_steps
from mbdgen.runtime.system import run_workspace
from mbdgen.runtime.system.run_workspace import OK, State
from mbdgen.runtime.system.system import System


class SingleSteps:
    """A scheme that makes one step at a time, with access to its memory.

    Parameters
    ----------
    system, scheme : System, Scheme
        System and integration scheme.
    state : State
        A consistent state; steps overwrite it.
    dof : int
        Degrees of freedom at the state.
    h : float
        Step size.
    """

    def __init__(self, system: System, scheme: Scheme, state: State, dof: int, h: float) -> None:
        self.system, self.state, self.h = system, state, h
        self._options = np.array(scheme.numbers)
        self._backup = run_workspace.new_state(system.n_q, system.n_lam)
        self._record = recorder.new_record(1, system.data)
        system.allocate_history(scheme.method.kept)
        self._pivots = RunFactors(system, scheme.method, tuple(self._options))
        self._steps = new_scheme_steps(system, scheme, state, dof)
        if self._steps.need_pivots:
            self._pivots.choose(state, h)

    @property
    def memory(self) -> tuple[NDArray[Any], ...]:
        """Memory of the method besides the state; changes take effect in the next step."""
        return self.system.work.kept, *self._steps.memory

    @property
    def vectors(self) -> list[NDArray[Any]]:
        """Parts of the memory as tables, whose columns repeat with the coordinates.

        They are the history of the method, and the vectors of its loop.
        """
        n_q = self.system.n_q
        known = self.system.work.kept, *self._steps.vectors
        filled = [array for array in known if array.size]
        tables = [array.reshape(-1, array.shape[-1]) for array in filled]
        return [table for table in tables if table.shape[1] % n_q == 0]

    def step(self, count: int = 1) -> bool:
        """Make ``count`` steps; return whether they succeeded."""
        t = float(self.state.clock[0])
        course = Course(
            work=self.system.work,
            state=self.state,
            backup=self._backup,
            progress=recorder.new_progress(),
            record=self._record,
            instants=np.array([t, t + count * self.h]),
            substeps=np.array([count]),
            brief=np.zeros(1, np.int64),
            options=self._options,
            tangent=self._pivots.tangent,
            mass=self._pivots.mass,
        )
        course.progress.position[recorder.FIRST_ROW] = 1
        return self._steps.run(course, 1, count + 1) == OK
