"""Simulation with forward sensitivity analysis: a run with differentiated steps."""

from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np

from mbdgen.errors import OptionError
from mbdgen.runtime.methods.scheme import Scheme
from mbdgen.runtime.monitors.angle_unwrapping import SPEED
from mbdgen.runtime.monitors.orientation_charts import OrientationCharts
from mbdgen.runtime.program.compiled_functions import separate
from mbdgen.runtime.program.function_addresses import AddressedFunction
from mbdgen.runtime.program.kernel_abi import KERNELS
from mbdgen.runtime.sensitivities import sensitive_step_end
from mbdgen.runtime.sensitivities.directions import Direction
from mbdgen.runtime.sensitivities.initial_sensitivities import vary_initial
from mbdgen.runtime.sensitivities.sensitivity_series import Sensitivities, Sensitivity
from mbdgen.runtime.sensitivities.variation_kernels import check_variations
from mbdgen.runtime.sensitivities.variation_workspace import (
    STAGES,
    VARIATIONS,
    VARIED_STEP,
    Variations,
    new_variations,
)
from mbdgen.runtime.stepping import time_loop
from mbdgen.runtime.stepping.argument_validation import Schedule
from mbdgen.runtime.stepping.checkpoint import Snapshot
from mbdgen.runtime.stepping.driver import Callback, Run
from mbdgen.runtime.stepping.run_buffers import COURSE, Course
from mbdgen.runtime.system.run_workspace import OK, State
from mbdgen.runtime.system.system import System
from mbdgen.runtime.system.system_data import FloatArray
from mbdgen.subset import types

if TYPE_CHECKING:
    from mbdgen.runtime.ensembles.member_block import MemberBlock
    from mbdgen.runtime.initialisation.fast_initialisation import InitialisationWorkspace

_LOOP = separate(
    types.int64(VARIED_STEP, KERNELS, *COURSE[:-1], VARIATIONS, types.int64, types.int64),
)(time_loop.integrate)
RUN: Callable[..., int] = _LOOP


class VariedSteps:
    """The compiled loop of sensitive steps; see `Steps`."""

    need_pivots = True
    budget = 20
    vectors = ()
    memory = ()
    left = None
    measured = np.zeros(0)

    def __init__(self, system: System, scheme: Scheme) -> None:
        step = import_module(scheme.method.varied_step).step
        self._step = AddressedFunction.of(step, VARIED_STEP), system.kernels
        self.room: Variations | None = None

    def restart(self) -> None:
        """Forget nothing: a run with sensitivities goes on with the equations it began with."""

    def run(self, course: Course, last: int, budget: int) -> int:
        """Integrate as `time_loop.run` does."""
        assert self.room is not None
        room = self.room._replace(
            mass=course.mass, position=course.progress.position, substeps=course.substeps
        )
        status: int = RUN(*self._step, *course[:-1], room, last, budget)
        return status

    def run_members(
        self,
        course: Course,
        last: int,
        budget: int,
        room: "InitialisationWorkspace",
        block: "MemberBlock",
    ) -> int:
        """Refuse: an ensemble has no sensitivities."""
        raise OptionError("simulate_many has no sensitivities.", "Run simulate in a loop.")


class SensitiveRun(Run):
    """A simulation with sensitivities in progress.

    Parameters
    ----------
    wanted : tuple of Direction
        What it is differentiated by.
    others : see `mbdgen.runtime.stepping.driver.Run`
    """

    halves = False  # variations are recorded by the schedule of the whole run

    def __init__(
        self,
        system: System,
        scheme: Scheme,
        state: State,
        dof: int,
        callback: Callback | None,
        report: Any,
        attitudes: OrientationCharts,
        wanted: tuple[Direction, ...],
    ) -> None:
        super().__init__(system, scheme, state, dof, [], callback, report, attitudes)
        check_variations(system, "A simulation with sensitivities")
        if scheme.method.constants and scheme.method.constants[0] > STAGES:
            raise OptionError(
                f"Method '{scheme.method.name}' has too many stages.", f"At most {STAGES}."
            )
        self._varied = VariedSteps(system, scheme)
        self._steps = self._varied
        self._wanted = wanted
        self._keep_rows = np.zeros(0, np.bool_)

    def _begin(self, plan: Schedule) -> int:
        system, state = self.system, self.state
        p = np.array([d.p for d in self._wanted])
        room = new_variations(system.work, system.data, self._pivots.mass, p, len(plan.instants))
        changes = vary_initial(system, state, self._wanted)
        tables = room.new_q, room.new_v, room.new_a, room.new_lam
        for k, change in enumerate(changes):
            for table, vector in zip(tables, change[:4], strict=True):
                table[k] = vector
        room.numbers[:] = self.progress.numbers  # the degree of the quadrature
        self._varied.room = room
        self._keep_rows = plan.keep
        status = super()._begin(plan)
        if status != OK:
            return status
        started = room._replace(mass=self._pivots.mass)
        status = sensitive_step_end.begin(system.kernels, system.work, started, state)
        return status

    def _settle(self, h: float) -> int:
        """Refuse changed parameters: their choice by the callback is not differentiated."""
        turns = self.system.work.turns[:, : SPEED + 1]
        self._known[turns] = self.system.work.p[turns]
        if not np.array_equal(self.system.work.p, self._known):
            raise OptionError(
                f"The callback changed parameters at t = {float(self.state.clock[0]):g} s, and "
                "nobody knows how its choice depends on what is varied.",
                "Leave system.set out of the callback, or take differences of two runs.",
            )
        return OK

    def _to_the_end(self, before: Snapshot, plan: Schedule, first: int, steps: int) -> int:
        """Reject the end of a path: when it is reached depends on what is varied."""
        good = first + steps
        path = self.ranges.beyond(self._buffer.q[steps])
        raise OptionError(
            f"A run with sensitivities cannot end where a point leaves its path: {path}, between "
            f"t = {plan.instants[good]:g} s and {plan.instants[good + 1]:g} s.",
            "Make the path longer, or end the run before.",
        )

    def sensitivities(self) -> Sensitivities:
        """Return the derivatives at all recorded instants."""
        room, count = self._varied.room, len(self.rows.times)
        assert room is not None
        rows = np.flatnonzero(self._keep_rows)[:count]
        arrays = (
            *(room.rows_q, room.rows_v, room.rows_a, room.rows_lam),
            *(room.rows_outputs, room.rows_energies),
        )

        def one(k: int, d: Direction) -> Sensitivity:
            taken: list[FloatArray] = [array[k, rows] for array in arrays]
            return Sensitivity(d.name, d.unit, self.rows.times, *taken)

        found = tuple(one(k, d) for k, d in enumerate(self._wanted))
        return Sensitivities(self.system.names, found)
