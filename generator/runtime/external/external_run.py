"""Runs with external integrators (SciPy, SUNDIALS): recording, events and checks.

The library has its own step-size control and returns the motion at the requested instants, mostly
by dense output. There the projection of the scheme is applied, accelerations and reactions are
computed, and everything is recorded. The projected state is not passed back: the library continues
with its own ``(q, v, z)``.
"""

import logging
from importlib import import_module
from typing import TYPE_CHECKING

import numpy as np

from mbdgen.errors import OptionError
from mbdgen.runtime.external.external_solver import ExternalEquations, Refused, Solver
from mbdgen.runtime.formulations.base import Formulation
from mbdgen.runtime.methods.scheme import Scheme
from mbdgen.runtime.monitors.angle_unwrapping import next_turns
from mbdgen.runtime.monitors.missed_contacts import ContactWatch
from mbdgen.runtime.monitors.recorder import (
    FIRST_ROW,
    INTERVAL,
    PROGRESS,
    RECORD,
    Progress,
    Record,
    compare_energies,
    monitor,
    record_state,
)
from mbdgen.runtime.monitors.work_quadrature import WORK_DONE
from mbdgen.runtime.program.compiled_functions import internal, separate
from mbdgen.runtime.program.kernel_abi import KERNELS, Kernels
from mbdgen.runtime.solvers.constraint_combination import evaluate_all, imposed
from mbdgen.runtime.solvers.constraint_levels import take_positions
from mbdgen.runtime.solvers.dense_run import (
    dependent_rows,
    parts_of,
    restart_workspace,
    workspace_of,
)
from mbdgen.runtime.solvers.dense_workspace import COMPLIANCE, DENSE, PROJECTS, DenseWorkspace
from mbdgen.runtime.solvers.scheme_functions import PARTS, SchemeFunctions, slope_at
from mbdgen.runtime.solvers.step_finalisation import consistent_accelerations, end_explicit
from mbdgen.runtime.stepping.run_buffers import Course
from mbdgen.runtime.system.kernel_calls import evaluate_energies
from mbdgen.runtime.system.run_workspace import (
    OK,
    PAUSED,
    REAL_ARRAY,
    STATE,
    STEPS,
    TURNS_UNKNOWN,
    WORK,
    RunWorkspace,
    State,
    new_state,
)
from mbdgen.runtime.system.system import System
from mbdgen.runtime.system.system_data import FloatArray, IntArray
from mbdgen.subset import types

if TYPE_CHECKING:
    from mbdgen.runtime.ensembles.member_block import MemberBlock
    from mbdgen.runtime.initialisation.fast_initialisation import InitialisationWorkspace

LOG = logging.getLogger("mbdgen.runtime.external.external_run")

_EQUATIONS = (KERNELS, WORK, STATE, DENSE, PARTS)


@internal
def _evaluate_power(kernels: Kernels, work: RunWorkspace, state: State) -> int:
    """Leave the power of drivers and loads in ``work``."""
    t, q, v, a, lam = state.clock[0], state.q, state.v, state.a, state.lam
    return evaluate_energies(kernels, work, t, q, v, a, lam)


@separate(
    types.int64(*_EQUATIONS, types.float64, REAL_ARRAY, REAL_ARRAY, types.boolean),
)
def evaluate_slope(
    kernels: Kernels,
    work: RunWorkspace,
    state: State,
    dense: DenseWorkspace,
    parts: SchemeFunctions,
    t: float,
    y: FloatArray,
    y_dot: FloatArray,
    works: bool,
) -> int:
    """``y = (q, v, z) -> y_dot`` of the formulation, and the power there."""
    status = slope_at(kernels, work, state, dense, parts, t, y, y_dot)
    if status == OK and works:
        status = _evaluate_power(kernels, work, state)
    return status


@separate(types.int64(KERNELS, WORK, STATE, DENSE, REAL_ARRAY, types.boolean))
def evaluate_equations(
    kernels: Kernels,
    work: RunWorkspace,
    state: State,
    dense: DenseWorkspace,
    out: FloatArray,
    works: bool,
) -> int:
    """Return the residual: dynamics rows, and the imposed constraints in the others."""
    n_q, w = len(state.q), dense.numbers
    status = evaluate_all(kernels, work, state)
    for i in range(n_q):
        out[i] = work.residual[i]
    for row in work.rows:
        out[row] = imposed(work, w, row)
    for k in range(len(state.lam)):
        out[n_q + k] += w[COMPLIANCE] * state.lam[k]
    if status == OK and works:
        status = _evaluate_power(kernels, work, state)
    return status


@separate(
    types.int64(
        *(*_EQUATIONS, PROGRESS, RECORD, REAL_ARRAY),
        *(types.float64, types.float64, types.int64, types.boolean),
    ),
)
def arrive(
    kernels: Kernels,
    work: RunWorkspace,
    state: State,
    dense: DenseWorkspace,
    parts: SchemeFunctions,
    progress: Progress,
    record: Record,
    y: FloatArray,
    t: float,
    done: float,
    row: int,
    explicit: bool,
) -> int:
    """Make ``y`` the state at ``t``, where so much work is done, and record it.

    Accelerations and reactions are those of the formulation, if it gives them explicitly, and
    otherwise those of index 1.
    """
    state.clock[0] = t
    take_positions(state, dense, y)
    if explicit:
        status = end_explicit(kernels, work, state, dense, parts)
    else:
        status = parts.complete(kernels, work, state, dense)
        if status == OK and dense.sizes[PROJECTS] != 0:
            status = parts.project(parts.change, kernels, work, state, dense)
        if status == OK:
            status = consistent_accelerations(kernels, work, state, dense, parts)
    if status == OK:
        status = monitor(kernels, work, state, progress)
    if status != OK:
        return status
    progress.numbers[WORK_DONE] = done
    compare_energies(work, progress)
    return record_state(kernels, work, state, progress, record, row)


class LibraryRun:
    """Steps of a library; see `mbdgen.runtime.stepping.stepper_selection.Steps`.

    Parameters
    ----------
    system, scheme, formulation, state, dof
        As for `mbdgen.runtime.solvers.dense_run.GeneralRun`.
    """

    need_pivots = False
    budget = 1
    vectors = ()
    left = None
    measured = np.zeros(0)

    def __init__(
        self, system: System, scheme: Scheme, formulation: Formulation, state: State, dof: int
    ) -> None:
        self._system, self._scheme, self._state = system, scheme, state
        self._formulation = formulation
        self._explicit = scheme.method.needs == "slope"
        self._parts = parts_of(scheme, formulation, dependent_rows(system, dof) > 0)
        self._dense = workspace_of(system, scheme, formulation, state, dof, rows=1)
        self._trial = new_state(system.n_q, system.n_lam)
        self._module = import_module(scheme.method.general)
        self._solver: Solver | None = None
        self._left, self._at = np.zeros(0), 0.0
        self._known = 0
        self._works, self._work_before = bool(system.data.powered), 0.0
        self.missed: ContactWatch | None = None
        """Looks at the ends of the library's steps."""

    @property
    def memory(self) -> tuple[FloatArray | IntArray, ...]:
        """What a formulation integrates besides and keeps; a library's memory stays its own."""
        return self._dense.z, self._dense.held, self._dense.held_order

    def restart(self) -> None:
        """Restart the library at the state."""
        restart_workspace(self._system, self._formulation, self._state, self._dense)
        self._solver = None

    def run(self, course: Course, last: int, budget: int) -> int:
        """Go on to the instant ``last`` or for ``budget`` intervals, one after the other."""
        position, state = course.progress.position, self._state
        while position[INTERVAL] < last:
            if budget == 0:
                return PAUSED
            budget -= 1
            k = int(position[INTERVAL])
            t, row = float(course.instants[k + 1]), int(k + 1 - position[FIRST_ROW])
            before = tuple(array.copy() for array in state)
            try:
                progress, record = course.progress, course.record
                y = self._solver_from_here(float(course.instants[-1]), progress).to(t)
                done = self._work_before + (float(y[-1]) if self._works else 0.0)
                motion = y[: len(y) - int(self._works)]
                arrival = motion, t, done, row, self._explicit
                status: int = arrive(*self._equations(state), progress, record, *arrival)
            except Refused as failure:
                LOG.info("%s: %s", self._scheme.method.name, failure)
                status = failure.status
            if status != OK:
                for target, source in zip(state, before, strict=True):
                    target[:] = source
                return status
            self._left = np.concatenate([state.clock, state.q, state.v])
            self._count()
            position[INTERVAL] += 1
        return OK

    def run_members(
        self,
        course: Course,
        last: int,
        budget: int,
        room: "InitialisationWorkspace",
        block: "MemberBlock",
    ) -> int:
        """Reject ensembles: a library is not compiled."""
        raise OptionError(
            f"simulate_many does not run '{self._scheme.method.name}' of another library.",
            "Choose a method of mbdgen, or run simulate in a loop.",
        )

    def _solver_from_here(self, end: float, progress: Progress) -> Solver:
        """Return the library's integrator; a new one if the state was changed elsewhere."""
        state = self._state
        here = np.concatenate([state.clock, state.q, state.v])
        if self._solver is None or not np.array_equal(here, self._left):
            y = np.concatenate([state.q, state.v, self._dense.z])
            y_dot = np.concatenate([state.v, state.a, np.zeros(len(self._dense.z))])
            if self._works:
                power = self._system.energies(float(state.clock[0]), *state[1:])[2]
                y, y_dot = np.append(y, 0.0), np.append(y_dot, power)
            self._work_before = float(progress.numbers[WORK_DONE])
            if self._explicit:
                y_dot = self._slope(float(state.clock[0]), y)
            lam = state.lam.copy()
            start = float(state.clock[0]), y, y_dot, lam
            called = self._slope, self._residual, self._constraints
            equations = ExternalEquations(*start, *called, works=self._works, stepped=self._stepped)
            self._at = start[0]
            self._solver, self._known = self._module.solver(equations, self._scheme, end), 0
        return self._solver

    def _equations(
        self, state: State
    ) -> tuple[Kernels, RunWorkspace, State, DenseWorkspace, SchemeFunctions]:
        return self._system.kernels, self._system.work, state, self._dense, self._parts

    def _slope(self, t: float, y: FloatArray) -> FloatArray:
        y_dot, n = np.empty(len(y)), len(y) - int(self._works)
        vector = np.ascontiguousarray(y)[:n]
        if not vector.flags.writeable:  # compiled functions require writable arrays
            vector = vector.copy()
        status = evaluate_slope(*self._equations(self._trial), t, vector, y_dot[:n], self._works)
        if status != OK:
            raise Refused(status)
        y_dot[n:] = self._system.work.energies[2]
        return y_dot

    def _residual(
        self, t: float, q: FloatArray, v: FloatArray, v_dot: FloatArray, lam: FloatArray
    ) -> FloatArray:
        """Residual rows; behind them the power, where the work of drivers and loads is wanted."""
        n, trial = self._system.n, self._trial
        out = np.empty(n + int(self._works))
        trial.clock[0] = t
        trial.q[:], trial.v[:], trial.a[:], trial.lam[:] = q, v, v_dot, lam
        kernels, work, state, dense, _ = self._equations(trial)
        status = evaluate_equations(kernels, work, state, dense, out[:n], self._works)
        if status != OK:
            raise Refused(status)
        out[n:] = work.energies[2]
        return out

    def _constraints(self, t: float, q: FloatArray) -> tuple[FloatArray, FloatArray]:
        system, rest = self._system, np.zeros(self._system.n_q)
        rows = system.position_rows
        q = q.copy()  # compiled functions require writable arrays
        phi = system.residual(t, q, rest, rest, np.zeros(system.n_lam))[rows]
        return phi, system.jacobian(t, q, rows).toarray()

    def _stepped(self, t: float, y: FloatArray) -> None:
        """Unwrap angles at the end of every step: recorded instants may be far apart."""
        n_q = self._system.n_q
        if not next_turns(self._system, t - self._at, t, y[:n_q], y[n_q : 2 * n_q]):
            raise Refused(TURNS_UNKNOWN)
        self._at = t
        if self.missed:
            self.missed.see(t, y[:n_q], y[n_q : 2 * n_q])

    def _count(self) -> None:
        if self._solver is not None:
            self._system.work.counters[STEPS] += self._solver.steps - self._known
            self._known = self._solver.steps
