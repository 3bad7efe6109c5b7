"""Simulation of a mechanism whose accelerations come from its structural groups."""

import time
from collections.abc import Sequence
from functools import partial

import numpy as np

from mbdgen.limits import require
from mbdgen.runtime.accuracy.run_checks import RunFacts, checked, warned
from mbdgen.runtime.groups import group_dynamics, group_steps
from mbdgen.runtime.groups.group_energy_balance import GroupEnergyBalance
from mbdgen.runtime.groups.group_options import FORMULATIONS, METHODS, Options
from mbdgen.runtime.groups.group_workspace import (
    AS_WHOLE,
    BY_GROUPS,
    EQUATIONS,
    PENALTIES,
    WAY,
    GroupWorkspace,
    new_group_workspace,
)
from mbdgen.runtime.groups.grouped_system import ITERATIONS, TOLERANCE, GroupedSystem
from mbdgen.runtime.initialisation.assembly import accelerations, assemble
from mbdgen.runtime.initialisation.constraint_diagnosis import diagnose
from mbdgen.runtime.initialisation.initial_correction import doubtful_start
from mbdgen.runtime.linalg.equilibration import SingularMatrixError
from mbdgen.runtime.linalg.linear_solver import analyse, new_factors
from mbdgen.runtime.methods.run_limits import GROUPS, RUN_CONTROL_LIMITS, RUN_LIMITS, controls_of
from mbdgen.runtime.monitors.angle_unwrapping import forget_turns, next_turns, take_turns, turns_of
from mbdgen.runtime.monitors.path_limits import Ranges
from mbdgen.runtime.monitors.work_quadrature import WORK_DONE
from mbdgen.runtime.results.body_motion import places_of
from mbdgen.runtime.results.result import Result
from mbdgen.runtime.results.scene_figures import scene_of
from mbdgen.runtime.stepping.argument_validation import schedule, time_span
from mbdgen.runtime.stepping.checkpoint import Arrays, assign, copies
from mbdgen.runtime.stepping.driver import STOPPED
from mbdgen.runtime.stepping.run_info import Counters, RunInfo
from mbdgen.runtime.system.run_workspace import (
    NOT_CONVERGED,
    OK,
    REPIVOT_MASS,
    REPIVOT_TANGENT,
    SINGULAR_MASS,
    SINGULAR_TANGENT,
    new_state,
)
from mbdgen.runtime.system.system_data import FloatArray
from mbdgen.runtime.system.system_features import features_of
from mbdgen.runtime.system.system_leases import with_own_numbers

CORRECTIONS = 50
MOST_PIVOTS = 4
"""Largest number of pivot choices per step."""


class _Run:
    """Tables and state of one run."""

    def __init__(self, grouped: GroupedSystem, options: Options, t: float) -> None:
        self.grouped, self.options, system = grouped, options, grouped.system
        grouped.update()
        self.state = assemble(system, t)
        mode = BY_GROUPS if options.by_groups else AS_WHOLE
        equations = FORMULATIONS[str(options.formulation)]
        weights = np.array(
            [options.penalty, 2.0 * options.xi * options.omega, options.omega**2,
             TOLERANCE, float(ITERATIONS)]
        )  # fmt: skip
        solver, penalties = grouped.solver, equations == PENALTIES
        solver.prepare(*(("condense",) if penalties else ("block", "position", "reach")))
        if not options.by_groups:
            solver.leave_condensing()
        self._new_workspace = partial(
            new_group_workspace, system, self.state.q, solver.groups.inputs, equations
        )
        self._given = mode, weights
        self.integrated = np.arange(system.n_q) if penalties else solver.groups.inputs
        self.entire, of_whole = grouped.whole(t, self.state.q)
        self.workspace, self.factors = self._make_workspace(), of_whole
        if penalties:
            self._forget_pivots()
        self.counters = np.zeros(2, np.int64)
        self.ranges = Ranges(system)
        forget_turns(system)
        next_turns(system, 0.0, t, self.state.q, self.state.v)
        self.balance = GroupEnergyBalance(system, 4 if options.method == "rk4" else 2)
        self.status = self._complete()
        if self.status == OK:
            self.status = self.balance.begin(self.state)

    def _make_workspace(self) -> GroupWorkspace:
        """Return the workspace, in which groups eliminate the unknowns that they determine."""
        solver, n = self.grouped.solver, self.grouped.system.n_q
        workspace = self._new_workspace(*self._given, solver.entry_codes(n), solver.condensed())
        if not solver.reads_all(workspace.codes[np.flatnonzero(workspace.start)], n):
            solver.leave_condensing()
            return self._make_workspace()
        if self.options.by_groups and self.options.formulation == "penalty":
            solver.prepare_penalties()
        solver.set_entry_indices(workspace.codes, n)
        return workspace

    def _forget_pivots(self) -> None:
        """Let the penalty equations ask for pivots when they are used next."""
        self.factors = new_factors(self.workspace.indptr, self.workspace.indices)

    def _complete(self) -> int:
        """Compute the accelerations of the initial state."""
        state, system = self.state, self.grouped.system
        groups, t = self.grouped.solver.groups, float(state.clock[0])
        for _ in range(MOST_PIVOTS):
            kernels, work = system.kernels, system.work
            factors, workspace = self.factors, self.workspace  # both may have changed
            q, v, a = state.q, state.v, state.a
            if workspace.chosen[EQUATIONS] == PENALTIES:
                status = group_dynamics.by_penalties(
                    kernels, work, groups, factors, workspace, t, q, v, a
                )
            else:
                entire = self.entire
                status = group_dynamics.by_matrix_r(
                    kernels, work, groups, entire, factors, workspace, t, q, v, a
                )
            if status == OK or not self._repivot(status):
                break
        return int(status)

    def _repivot(self, status: int) -> bool:
        """Choose pivots for the last evaluation; return whether another attempt is worthwhile."""
        state = self.state
        try:
            if status in (REPIVOT_MASS, SINGULAR_MASS):
                self.balance.renew(status)
                return True
            if status == REPIVOT_TANGENT:
                workspace = self.workspace
                self.factors = analyse(workspace.indptr, workspace.indices, workspace.rest_values)
                return True
            if status == SINGULAR_TANGENT and len(self.workspace.rest) < len(self.state.q):
                self.grouped.solver.leave_condensing()
                self.workspace = self._make_workspace()
                self._forget_pivots()
                return True
            if status == SINGULAR_TANGENT and self.workspace.chosen[WAY] == AS_WHOLE:
                t = float(state.clock[0])
                self.entire, self.factors = self.grouped.whole(t, state.q, anew=True)
                return True
        except SingularMatrixError:
            return False
        return False

    def advance(self, stop: float, count: int) -> int:
        """Make steps of equal length up to an instant, or to the end of a path.

        Returns `STOPPED` there.
        """
        if not self.ranges:
            return self._advance(stop, count)
        start = float(self.state.clock[0])
        for k in range(count):
            known = *self.state, self.counters, self.balance.numbers
            before = copies((*known, turns_of(self.grouped.system)))
            status = self._advance(start + (stop - start) * (k + 1) / count, 1)
            if status != OK:
                return status
            if self.ranges.distance(self.state.q) < 0.0:
                return self._to_the_end(before)
        return OK

    def _to_the_end(self, before: Arrays) -> int:
        """Repeat the last step up to the event that a moving marker leaves its path."""
        from scipy.optimize import brentq  # slow to import, and few runs need it

        start, end = float(before[0][0]), float(self.state.clock[0])

        def margin(t: float) -> float:
            *known, turns = before
            assign((*self.state, self.counters, self.balance.numbers), tuple(known))
            take_turns(self.grouped.system, turns)
            if t > start and self._advance(t, 1) != OK:
                raise ArithmeticError
            return self.ranges.distance(self.state.q)

        try:
            t = brentq(margin, start, end, xtol=1e-13 * max(1.0, abs(end)))
            margin(float(t))
        except ArithmeticError:
            return NOT_CONVERGED
        return STOPPED

    def _advance(self, stop: float, count: int) -> int:
        """Make steps of equal length up to an instant, without path limits."""
        state, method = self.state, METHODS[self.options.method]
        system = self.grouped.system
        start, done = float(state.clock[0]), self.counters
        h, before = (stop - start) / count, int(done[1])
        done[1] = 0
        status, last, tries = self.status, -1, 0
        while status == OK and done[1] < count:
            left = count - int(done[1])
            status = group_steps.advance(
                system.kernels,
                system.work,
                self.grouped.solver.groups,
                self.entire,
                self.factors,
                self.workspace,
                self.integrated,
                start,
                h,
                left,
                state.q,
                state.v,
                state.a,
                method,
                self.options.tolerance,
                CORRECTIONS,
                done,
                *self.balance.arguments,
            )
            tries = tries + 1 if done[1] == last else 0
            last = int(done[1])
            if status != OK and tries < MOST_PIVOTS and self._repivot(status):
                status = OK
        state.clock[0] = stop if status == OK else start + done[1] * h
        done[1] += before
        return status


@with_own_numbers
def simulate_by_groups(
    grouped: GroupedSystem,
    span: Sequence[float],
    h: float = 1e-3,
    options: Options | None = None,
    t_eval: Sequence[float] | None = None,
) -> Result:
    """Integrate the motion with accelerations from structural groups.

    Parameters
    ----------
    grouped : GroupedSystem
        From `mbdgen.grouping.group_loading.load_groups`.
    span : (float, float)
        Start and end time.
    h : float
        Largest step; every interval between recorded instants is divided into equal steps.
    options : Options, optional
        Formulation, method and their options.
    t_eval : sequence of float, optional
        Instants to record; by default every step.

    Returns
    -------
    Result
        As `mbdgen.simulate` returns it. Multipliers, and what depends on them, are NaN unless
        ``reactions`` were asked for.
    """
    chosen = options or Options()
    ends = time_span(span, backward=True)
    for control in controls_of({}, ends):
        require(RUN_CONTROL_LIMITS, run=GROUPS, control=control)
    plan = schedule(ends, h, t_eval)
    require(RUN_LIMITS, features_of(grouped.system), run=GROUPS)
    clock = time.process_time()
    run = _Run(grouped, chosen, float(plan.instants[0]))
    assembled, status = time.process_time(), run.status
    rows, times = ([_row(run)] if plan.keep[0] else []), [float(plan.instants[0])]
    times = times[: len(rows)]
    for k, count in enumerate(plan.substeps):
        if status == OK:
            status = run.advance(float(plan.instants[k + 1]), int(count))
        if status == OK and plan.keep[k + 1]:
            times.append(float(plan.instants[k + 1]))
            rows.append(_row(run))
        elif status == STOPPED and (not times or float(run.state.clock[0]) > times[-1]):
            times.append(float(run.state.clock[0]))
            rows.append(_row(run))
            break
    seconds = {"assemble_s": assembled - clock, "solve_s": time.process_time() - assembled}
    forget_turns(grouped.system)
    return _result(run, times, rows, status, float(h), seconds)


def _row(run: _Run) -> tuple[FloatArray, ...]:
    """Return the recorded values of the current state."""
    system, state = run.grouped.system, run.state
    t, q, v, a = float(state.clock[0]), state.q, state.v, state.a
    lam = np.full(system.n_lam, np.nan)
    if run.options.reactions:
        other = new_state(system.n_q, system.n_lam)
        other.clock[0] = t
        other.q[:], other.v[:] = q, v
        system.regularise(t, q)
        accelerations(system, other)
        lam = other.lam.copy()
    none = np.zeros(system.n_lam)
    energies = system.energies(t, q, v, a, none)
    energies[2] = run.balance.numbers[WORK_DONE]
    phi = system.residual(t, q, v, a, none)[system.work.rows]
    levels = [phi, *(x[system.work.rows] for x in system.rates(t, q, v, a))]
    largest = np.array([np.abs(x).max(initial=0.0) for x in levels])
    return q.copy(), v.copy(), a.copy(), lam, system.outputs(t, q, v, a, lam), energies, largest


def _result(
    run: _Run,
    times: Sequence[float],
    rows: Sequence[tuple[FloatArray, ...]],
    status: int,
    h: float,
    seconds: dict[str, float],
) -> Result:
    system, options = run.grouped.system, run.options
    q, v, a, lam, outputs, energies, largest = (np.array(part) for part in zip(*rows, strict=True))
    drift, scale = run.balance.compared(energies)
    diagnosis = diagnose(system, times[0], q[0])
    mode = "groups" if options.by_groups else "whole"
    reached = float(run.state.clock[0])
    result = Result(
        t=np.array(times),
        q=q,
        v=v,
        a=a,
        lam=lam,
        outputs=outputs,
        energies=energies,
        names=system.names,
        success=status in (OK, STOPPED),
        status=1 if status == STOPPED else -status,
        message=_message(run, status, reached),
        counters=Counters(
            steps=int(run.counters[1]),
            newton_iterations=int(run.counters[0]),
            max_phi=float(largest[:, 0].max()),
            max_phi_dot=float(largest[:, 1].max()),
            max_phi_ddot=float(largest[:, 2].max()),
            energy_drift=drift,
            energy_scale=scale,
            accepted=int(run.counters[1]),
        ),
        info=RunInfo(
            model=system.data.model,
            method=options.method,
            formulation=f"{options.formulation}, by {mode}",
            backend=system.data.backend,
            layout=system.data.layout,
            reduced=False,
            dof=diagnosis.dof,
            n_q=diagnosis.n_q,
            n_phi=diagnosis.n_phi,
            redundant=diagnosis.redundant,
            h=h,
            t_end=reached,
            parameters=system.parameters,
        ),
        timings=seconds,
        scene=scene_of(system),
        places=places_of(system),
    )
    whole = run.counters[1] == len(times) - 1
    facts = RunFacts(4 if options.method == "rk4" else 2, bool(whole))
    begun = doubtful_start(system, times[0], q[0], v[0])
    return warned(checked(result, system, facts), begun)


def _message(run: _Run, status: int, t: float) -> str:
    """Return the final message, with advice if the run failed."""
    grouped, options = run.grouped, run.options
    if status == OK:
        return f"The end was reached at t = {t:g} s."
    if status == STOPPED:
        return run.ranges.ending(t, run.state.q)
    advice = "Try a smaller step"
    if options.formulation == "matrix-r":
        names = ", ".join(f"'{name}'" for name in grouped.decomposition.input_names[:8])
        advice += f", or other inputs than {names}, which need not suit the whole motion"
    return f"The motion could not be continued after t = {t:g} s. {advice}."


__all__ = ["Options", "simulate_by_groups"]
