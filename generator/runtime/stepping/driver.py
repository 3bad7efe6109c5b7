"""Driver of a simulation: calls the compiled loop; re-pivoting, events, callback, recording."""

import time
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from mbdgen.runtime.initialisation import reinitialisation
from mbdgen.runtime.linalg.run_factors import SINGULAR, RunFactors
from mbdgen.runtime.methods.scheme import Scheme
from mbdgen.runtime.monitors import recorder
from mbdgen.runtime.monitors.angle_unwrapping import SPEED, forget_turns
from mbdgen.runtime.monitors.contact_events import Contacts
from mbdgen.runtime.monitors.events import Knot, Watch
from mbdgen.runtime.monitors.missed_contacts import ContactWatch
from mbdgen.runtime.monitors.neighbour_lists import grow
from mbdgen.runtime.monitors.orientation_charts import OrientationCharts
from mbdgen.runtime.monitors.path_limits import Ranges
from mbdgen.runtime.monitors.recorder import FIRST_ROW, GENERIC, INTERVAL, SUBSTEP
from mbdgen.runtime.monitors.step_work import WorkOfStep
from mbdgen.runtime.monitors.work_quadrature import (
    DEGREE,
    DRIFT,
    DRIFT_BEFORE,
    ENERGY,
    KNOWN,
    LEAST,
    LENGTHS,
    POWERS,
    SAME,
    WORK_BEFORE,
    WORK_DONE,
    begin_numbers,
)
from mbdgen.runtime.stepping.argument_validation import Schedule
from mbdgen.runtime.stepping.checkpoint import Arrays, Checkpoint, Snapshot, assign, copies
from mbdgen.runtime.stepping.result_buffer import Rows
from mbdgen.runtime.stepping.resume_validation import check_alike, check_indices
from mbdgen.runtime.stepping.run_buffers import Course
from mbdgen.runtime.stepping.stepper_selection import new_scheme_steps
from mbdgen.runtime.system import run_workspace
from mbdgen.runtime.system.run_workspace import (
    KERNEL_FAILED,
    NOT_CONVERGED,
    OK,
    PAUSED,
    TURNS_UNKNOWN,
    State,
)
from mbdgen.runtime.system.system import System
from mbdgen.runtime.system.system_data import FloatArray

if TYPE_CHECKING:
    from mbdgen.runtime.sensitivities.sensitivity_series import Sensitivities

STOPPED, INTERRUPTED, NO_NUMBERS, CONTRADICTED = 101, 102, 104, 107
PIECE_SECONDS = 0.2
PIECE_BYTES = 4_000_000
SHORTEST_PART = 1e-6
"""Fraction of a step below which no separate step is made."""
MOST_REPIVOTS = 3
"""Largest number of new pivot orders for the same step; more would not help."""
MOST_HALVINGS = 6
"""Largest number of bisections of a step without convergence; failure at 1/64 has another cause."""

Callback = Callable[[float, FloatArray, FloatArray], object]


class Run:
    """A simulation in progress.

    Parameters
    ----------
    system, scheme, state : System, Scheme, State
        System, integration scheme and initial state; ``state`` is overwritten.
    dof : int
        Degrees of freedom at that state.
    watches, callback : list of Watch, callable or None
        Events, evaluated after every step, and a callback for every recorded instant.
    report : callable
        ``report(t)`` is called a few times a second.
    attitudes : OrientationCharts
        Orientation charts of bodies, switched near coordinate singularities.
    origin : Checkpoint, optional
        Checkpoint of an earlier run at this state.

    Attributes
    ----------
    one_by_one : bool
        Whether every step returns to Python in any case, so that event detection costs little.
    halves : bool
        Whether steps that do not converge are bisected.
    own_work : bool
        Whether this run integrates the power itself, step by step: see `_account`.
    samples : Rows
        Single steps sampled for the error estimate.
    changes : list of float
        Instants at which parameters of the equations changed: accelerations are discontinuous
        there.
    missed : ContactWatch
        Checks the contacts of a crowd at the end of every step.
    """

    one_by_one: ClassVar[bool] = False
    own_work: ClassVar[bool] = False
    halves: ClassVar[bool] = True

    def __init__(
        self,
        system: System,
        scheme: Scheme,
        state: State,
        dof: int,
        watches: list[Watch],
        callback: Callback | None,
        report: Callable[[float], None],
        attitudes: OrientationCharts,
        origin: Checkpoint | None = None,
    ) -> None:
        method, options = scheme.method, np.array(scheme.numbers)
        self.attitudes, self._scheme, self._dof = attitudes, scheme, dof
        self.system, self.options, self.state = system, options, state
        self.contacts = Contacts(system)
        controlled = scheme.tolerances is not None or method.library
        self.missed = ContactWatch(system, controlled)
        self.method = method
        self.ranges, self.callback, self.report = Ranges(system), callback, report
        looked_at = bool(watches) or self.one_by_one
        self.watches = [*watches, *self._borders(len(watches))] if looked_at else []
        self.progress = recorder.new_progress(0 if self.own_work else scheme.order)
        self.seconds = 0.0
        self.stopped_by: Watch | None = None
        self.rows, self.samples = Rows(0, system.data), Rows(0, system.data)
        self.changes: list[float] = []
        self._buffer = recorder.new_record(1, system.data)
        self._backup = run_workspace.new_state(system.n_q, system.n_lam)
        system.allocate_history(method.kept)
        self._pivots = RunFactors(system, method, tuple(options))
        self._steps = new_scheme_steps(system, scheme, state, dof)
        if self.missed and method.library:
            from mbdgen.runtime.external.external_run import LibraryRun

            assert isinstance(self._steps, LibraryRun)
            self._steps.missed = self.missed
        self.origin, self.begun = origin, state.q.copy()
        self._reported = 0.0
        self._halvings = 0
        self._known = system.work.p.copy()  # those of the stored factors
        self._work_of_step = WorkOfStep(system, scheme.order)
        self._renewed: Knot | None = None  # last change of parameters

    @property
    def accepted(self) -> int:
        """Number of accepted steps."""
        return int(self.system.work.counters[run_workspace.STEPS])

    @property
    def rejected(self) -> int:
        """Number of rejected steps."""
        return int(self.system.work.counters[run_workspace.REJECTED])

    @property
    def measures(self) -> dict[str, float]:
        """Quantities measured by the method, by name."""
        of_method = zip(self.method.measures, self._steps.measured.tolist(), strict=True)
        return {**dict(of_method), **self.attitudes.measures}

    def sensitivities(self) -> "Sensitivities | None":
        """Sensitivities of the recorded quantities; None in an ordinary run."""
        return None

    def integrate(self, plan: Schedule) -> int:
        """Integrate to the end or to the first failure and return the status."""
        watched = bool(self.watches) or self.callback is not None
        if self.watches:
            plan = plan.by_steps()
        elif self.missed and not self.method.library:
            plan = replace(plan.by_steps(), briefly=True)
        every_one = bool(self.watches) or (watched and not self.missed)
        piece = 1 if every_one else max(1, PIECE_BYTES // recorder.row_bytes(self.system.data))
        self.rows = Rows(int(plan.keep.sum()) + 1, self.system.data)
        sampled = 0 if plan.samples is None else int(plan.samples.sum())
        self.samples = Rows(sampled, self.system.data)
        self._buffer = recorder.new_record(piece, self.system.data)
        status = self._begin(plan)
        if status != OK:
            return status
        try:
            if self.attitudes and self._check_charts(plan.first_step) == 0:
                return NO_NUMBERS
            if self.missed:
                self.missed.begin(float(self.state.clock[0]), self.state.q, self.state.v)
            if self.contacts:
                self.contacts.begin(self._knot(), continued=self.origin is not None)
            self._known[:] = self.system.work.p
            self._sample(plan, 0, 0)
            if plan.keep[0] and self._keep(float(plan.instants[0]), 0):
                return STOPPED
            status = self._settle(plan.first_step)
            status = status if status != OK else self._pieces(plan, piece)
            stays = self._settle(plan.first_step) if status == STOPPED else OK
            return status if stays == OK else stays
        except KeyboardInterrupt:
            return INTERRUPTED

    def _pieces(self, plan: Schedule, piece: int) -> int:
        end = len(plan.substeps)
        watched = bool(self.watches) or self.callback is not None
        while (first := int(self.progress.position[INTERVAL])) < end:
            last = min(first + piece, end)
            if watched and (kept := plan.keep[first + 1 : last + 1]).any():
                last = first + 1 + int(np.argmax(kept))
            if self.watches and self.attitudes and self._check_charts(plan.step(first)) == 0:
                return NO_NUMBERS
            before = self._snapshot() if self.watches or self.ranges else None
            try:
                status = self._advance(plan, first, last, looks=not self.watches)
            except KeyboardInterrupt:
                # Ctrl-C arrives when the compiled loop has returned: what it recorded is complete.
                status = INTERRUPTED
            reached = int(self.progress.position[INTERVAL])
            if before is not None and not self.watches:
                left = self.ranges.left(self._buffer.q[: reached - first])
                if left is not None:
                    return self._to_the_end(before, plan, first, left)
            if self.missed and not self.method.library:
                some, count = slice(first + 1, reached + 1), reached - first
                self.missed.see_all(plan.instants[some], self._buffer.q[:count], self._buffer.v)
            if self.callback is None and not self.watches:
                some = slice(first + 1, reached + 1)
                self.rows.add_chosen(plan.instants[some], plan.keep[some], self._buffer)
                if plan.samples is not None:
                    self.samples.add_chosen(plan.instants[some], plan.samples[some], self._buffer)
                first = reached
            for k in range(first, reached):
                if self.watches and before is not None and (ended := self._event(before)) != OK:
                    return ended
                self._sample(plan, k + 1, k - first)
                if plan.keep[k + 1] and self._keep(float(plan.instants[k + 1]), k - first):
                    return STOPPED
            if status == OK and watched:
                status = self._settle(plan.step(min(reached, end - 1)))
            if status != OK:
                return status
        return OK

    def _advance(
        self, plan: Schedule, first: int, last: int, looks: bool = False, row: int = 0
    ) -> int:
        """Integrate the intervals ``first .. last``, with new pivots where they are needed.

        Parameters
        ----------
        looks : bool
            Whether orientation charts are checked between steps.
        row : int
            Row of the buffer that the end of the first interval is written to.
        """
        self.progress.position[FIRST_ROW] = first + 1 - row
        repivots, budget = 0, self._steps.budget
        while True:
            before = self.progress.position.copy()
            steps = budget
            if looks and self.attitudes and before[INTERVAL] < last:
                steps = min(budget, self._check_charts(plan.step(int(before[INTERVAL]))))
                if steps == 0:
                    return NO_NUMBERS
            wall, cpu = time.perf_counter(), time.process_time()
            status = self._run(plan, last, steps)
            begun, reached = before[INTERVAL] - first, self.progress.position[INTERVAL] - first
            recorded = range(begun + row, reached + row)
            self.attitudes.as_begun(self._buffer, recorded)
            self.seconds += time.process_time() - cpu
            wall = time.perf_counter() - wall
            if not np.array_equal(before, self.progress.position):
                repivots = 0
            if status == PAUSED:
                self.report(float(self.state.clock[0]))
                budget = next_budget(budget, wall) if steps == budget else budget
            elif status in SINGULAR and repivots < MOST_REPIVOTS:
                repivots += 1
                if not self._pivots.renew(status, self.state):
                    return SINGULAR[status]
            elif status == KERNEL_FAILED and grow(self.system):
                continue
            elif status in (NOT_CONVERGED, TURNS_UNKNOWN) and self._may_halve(status):
                halved = self._halve(plan, looks)
                if halved != OK:
                    return halved if halved == NO_NUMBERS else status
            else:
                return status

    def _may_halve(self, status: int) -> bool:
        """Whether a failed step may be bisected.

        A step that was completed but whose revolutions cannot be counted has already changed the
        memory of the method: it may not.
        """
        able = self.halves and self.method.varies and not self.method.library
        completed = status == TURNS_UNKNOWN and self.method.kept > 0
        return able and not completed and self._halvings < MOST_HALVINGS

    def _halve(self, plan: Schedule, looks: bool) -> int:
        """Replace the failed step by two half steps, each of which may be bisected again.

        If that fails too, the run ends at the beginning of the whole step.
        """
        position = self.progress.position
        interval, done, first_row = map(int, position[:GENERIC])
        end, before, status = plan.end(interval, done), self._snapshot(), NOT_CONVERGED
        self.system.work.counters[run_workspace.REJECTED] += 1
        self._halvings += 1
        try:
            self._restore(before)  # factors at the beginning of the step
            status = self._single(end, 2, looks=looks, row=interval + 1 - first_row)
        finally:
            self._halvings -= 1
            if status != OK:
                self._restore(before)
        if status != OK:
            return status if status == NO_NUMBERS else NOT_CONVERGED
        full = done + 1 == int(plan.substeps[interval])
        position[INTERVAL], position[SUBSTEP] = (interval + 1, 0) if full else (interval, done + 1)
        position[FIRST_ROW] = first_row
        return OK

    def _run(self, plan: Schedule, last: int, budget: int) -> int:
        course = Course(
            work=self.system.work,
            state=self.state,
            backup=self._backup,
            progress=self.progress,
            record=self._buffer,
            instants=plan.instants,
            substeps=plan.substeps,
            brief=plan.brief,
            options=self.options,
            tangent=self._pivots.tangent,
            mass=self._pivots.mass,
        )
        return self._steps.run(course, last, budget)

    def _check_charts(self, h: float) -> int:
        """Check the orientation charts; return the number of steps ``h`` until the next check.

        0: the run must stop.
        """
        steps, switched = self.attitudes.look(self.state, h)
        if switched:
            self._pivots.forget()
            self._restart(h)
        return steps

    def _settle(self, h: float) -> int:
        """Reinitialise after a callback or a contact changed parameters since the last step.

        The state is made consistent with the new equations; factors and history of the old ones are
        discarded: see `mbdgen.runtime.initialisation.reinitialisation`.
        """
        turns = self.system.work.turns[:, : SPEED + 1]
        self._known[turns] = self.system.work.p[turns]  # counted by steps, never set from outside
        if np.array_equal(self.system.work.p, self._known):
            return OK
        old = reinitialisation.before(self.system, self.state, self._known)
        if reinitialisation.breaks(self.system, self.state, old):
            return CONTRADICTED
        self._account_alone(old.total)
        new = reinitialisation.make_consistent(self.system, self.state, old)
        recorder.jump(self.progress, new.total - old.total, new.power)
        self._restart(h)
        self.changes.append(float(self.state.clock[0]))
        self._renewed = self._knot()
        for watch in self.watches:
            watch.start(self._knot())
        return OK

    def _account_alone(self, energy: float) -> None:
        """Integrate the work of a single step between two changes of parameters."""
        numbers, left = self.progress.numbers, self._renewed
        if left is None or numbers[KNOWN] != 1.0 or numbers[DEGREE] <= LEAST:
            return
        now, p = self._knot(), self.system.work.p.copy()
        h = now.t - left.t
        if abs(h - numbers[LENGTHS]) > SAME * abs(h):  # the last of several steps, of another size
            return
        self.system.work.p[:] = self._known
        work = self._work_of_step.between(left, now)
        self.system.work.p[:] = p
        if work is not None:
            numbers[WORK_DONE] = numbers[WORK_BEFORE] + work
            left_over = abs(energy - numbers[ENERGY] - numbers[WORK_DONE])
            numbers[DRIFT] = max(numbers[DRIFT_BEFORE], left_over)

    def _account(self, left: Knot) -> None:
        """Integrate the work of an accepted step; here the compiled loop has already done so."""

    def _restart(self, h: float) -> None:
        """Discard factors and history of other equations or of another orientation chart."""
        self._known[:] = self.system.work.p
        self._steps.restart()
        self.system.work.kept[:] = 0.0
        self.system.work.memory[:] = 0.0
        if self._steps.need_pivots:
            self._pivots.restart(self.state, h)

    def _begin(self, plan: Schedule) -> int:
        """Prepare the first step, and record the initial state."""
        if self.origin is None:
            forget_turns(self.system)
        anew = self.origin is None or "mass" not in self.origin.groups
        if anew and self._steps.need_pivots:
            self._pivots.choose(self.state, plan.first_step)
        self._run(plan, 0, 0)  # compiles or loads the loop
        if self.origin is not None:
            self._continue(self.origin)
        status = self._record_state()
        if self.origin is not None:
            # The outputs just compared with the energy of this state belong to another state.
            self._take_numbers(self.origin)
        for watch in self.watches:
            watch.start(self._knot())
        return status

    def _continue(self, origin: Checkpoint) -> None:
        """Restore the data of the previous run."""
        live, groups = self._live(), origin.groups
        self.check_continuable(origin)
        for name in ("state", "tables", "kept", "memory", "parameters"):
            if name in groups:
                assign(live[name], groups[name])
        self._take_numbers(origin)
        if "mass" in groups:
            self._pivots.tangent = origin.factors("tangent")
            self._pivots.mass = origin.factors("mass")

    def _take_numbers(self, origin: Checkpoint) -> None:
        """Restore energies and work; powers only if they are integrated by the same rule."""
        numbers, constant = self.progress.numbers, self.progress.numbers[DEGREE:].copy()
        power = numbers[POWERS]
        assign((numbers,), origin.groups["numbers"])
        alike = np.array_equal(numbers[DEGREE:], constant)
        # Progress counts are indices into the same array: a damaged one would point beyond its end.
        if not (alike and numbers[KNOWN] in range(max(int(constant[0]), 0) + 2)):
            numbers[DEGREE:] = constant
            begin_numbers(numbers, power)

    def check_continuable(self, origin: Checkpoint) -> None:
        """Raise if arrays have other shapes than those of this run, or indices are out of range."""
        live = self._live()
        for name in ("numbers", "kept", "memory"):
            # Empty groups are not in a file, nor are those of a run whose direction was reversed.
            if name == "numbers" or "kept" in origin.groups:
                found = origin.groups.get(name, ())
                check_alike(name, found, live[name], infinite=name == "memory")
                check_indices(name, found)

    def _live(self) -> dict[str, Arrays]:
        """Return references to all data that a continuation needs."""
        tables, pivots = self.system.work, self._pivots
        return {
            "state": tuple(self.state),
            "tables": (tables.eps, tables.memory),
            "parameters": (tables.p,),  # bases are among them
            "numbers": (self.progress.numbers,),
            "kept": (tables.kept,),
            "memory": self._steps.memory,
            "tangent": tuple(pivots.tangent),
            "mass": tuple(pivots.mass),
        }

    def leave(self) -> dict[str, Arrays]:
        """Return copies of all data that a continuation needs."""
        return {name: copies(arrays) for name, arrays in self._live().items()}

    def outputs_at_end(self) -> FloatArray:
        """Return the outputs at the current state, recorded or not."""
        self._record_state_again()
        return np.array(self._buffer.outputs[0])

    def _event(self, before: Snapshot) -> int:
        """Locate events in the step since ``before``; go back to the first terminal one.

        Returns `STOPPED` there, or the status of the failure.
        """
        left, right = before.knot, self._knot()
        found = [(t, watch) for watch in self.watches for t in watch.crossings(left, right)]
        hits = sorted((t, watch.index, watch) for t, watch in found)
        for t, _, watch in hits:
            watch.times.append(t)
            if watch.terminal:
                self.stopped_by = watch
                return self._go_back(before, t)
        return OK

    def _borders(self, first: int) -> list[Watch]:
        """Return the events at which moving points leave their paths."""
        return list(self.ranges.watches(first))

    def _to_the_end(self, before: Snapshot, plan: Schedule, first: int, steps: int) -> int:
        """Integrate to the end of a path, after ``steps`` successful steps since the snapshot."""
        self._restore(before)
        good = first + steps
        status = self._advance(plan, first, good, looks=True)
        if status != OK:
            return status
        some = slice(first + 1, good + 1)
        self.rows.add_chosen(plan.instants[some], plan.keep[some], self._buffer)
        self.watches = self._borders(0)
        for watch in self.watches:
            watch.start(self._knot())
        self.progress.position[:GENERIC] = 0
        return self._pieces(plan.beyond(good).by_steps(), 1)

    def _to_contact(self, before: Snapshot, steps: int = 1) -> tuple[int, int | None]:
        """End the last step where a contact begins or ends; return a status and the contact."""
        found = self.contacts.first(before.knot, self._knot())
        self.contacts.made(steps)
        if found is None:
            self.contacts.pass_over(before.knot.t, float(self.state.clock[0]), steps)
            return OK, None
        t, contact = found
        status = self._shorten(before, t)[0]
        return status, contact

    def missed_contacts(self) -> str:
        """Return a sentence about contacts that the steps missed; empty if there are none."""
        if self.missed:
            return " ".join(filter(None, (self.contacts.missed.text, self.missed.finished())))
        return self.contacts.missed.text

    def _change(self, contact: int, h: float) -> int:
        """Close or open a contact here, and restart the steps."""
        self.contacts.change(contact, self._knot())
        return self._settle(h)

    def _go_back(self, before: Snapshot, t: float) -> int:
        """Repeat the last step from its beginning to ``t``, and keep that state.

        If ``t`` is so close to the beginning that round-off would dominate, the beginning is kept.
        """
        status, t = self._shorten(before, t)
        if status != OK:
            return status
        if not self.rows.ends_at(t):
            self._keep(t, 0)
        return STOPPED

    def _shorten(self, before: Snapshot, t: float) -> tuple[int, float]:
        """Repeat the last step up to ``t`` only; return a status and the time reached."""
        start, reached = before.knot.t, float(self.state.clock[0])
        if t == reached:
            return OK, t
        self._restore(before)
        if abs(t - start) >= SHORTEST_PART * abs(reached - start):
            status = self._single(t, 1)
            if status == OK:
                self._account(before.knot)
            return status, t
        self._record_state_again()
        return OK, start

    def _single(self, t: float, steps: int, looks: bool = False, row: int = 0) -> int:
        """Integrate to ``t`` in ``steps`` equal steps, and return the status; see `_advance`."""
        self.progress.position[:GENERIC] = 0
        instants = np.array([float(self.state.clock[0]), t])
        plan = Schedule(instants, np.full(1, steps, np.int64), np.ones(2, bool))
        return self._advance(plan, 0, 1, looks, row)

    def _restore(self, before: Snapshot) -> None:
        """Restore the state of a snapshot."""
        for now, earlier in zip(self._snapshot_of(), before, strict=True):
            assign(now, earlier)
        if self._steps.need_pivots:
            self._pivots.factorise_mass(self.state)

    def _report_progress(self, t: float) -> None:
        """Report the progress a few times a second."""
        now = time.perf_counter()
        if now - self._reported > PIECE_SECONDS:
            self._reported = now
            self.report(t)

    def _record_state(self) -> int:
        """Write the state to row 0 of the buffer; its energy becomes the reference."""
        status: int = recorder.begin(
            self.system.kernels, self.system.work, self.state, self.progress, self._buffer
        )
        self.attitudes.as_begun(self._buffer, range(1))
        return status

    def _record_state_again(self) -> None:
        """Write a state that has been recorded before to row 0 of the buffer again."""
        (numbers,) = copies((self.progress.numbers,))
        self._record_state()
        self.progress.numbers[:] = numbers

    def _keep(self, t: float, row: int) -> bool:
        """Append a row of the buffer to the result; return whether the callback requests a stop."""
        self.rows.add(t, self._buffer, row)
        if self.callback is None:
            return False
        return bool(self.callback(t, self._buffer.q[row].copy(), self._buffer.v[row].copy()))

    def _sample(self, plan: Schedule, k: int, row: int) -> None:
        """Store a row of the buffer for the error estimate, if instant ``k`` is sampled."""
        if plan.samples is not None and plan.samples[k]:
            self.samples.add(float(plan.instants[k]), self._buffer, row)

    def _snapshot_of(self) -> Snapshot:
        """References to the data that snapshots copy."""
        tables = self.system.work
        kept = (tables.kept, tables.p) if len(tables.turns) else (tables.kept,)
        return Snapshot(tuple(self.state), tuple(self.progress), kept, self._steps.memory)

    def _snapshot(self) -> Snapshot:
        return Snapshot(*map(copies, self._snapshot_of()))

    def _knot(self) -> Knot:
        clock, *vectors = copies(self.state)
        return Knot(float(clock[0]), *vectors)


def next_budget(budget: int, seconds: float) -> int:
    """Return the number of steps between a few returns to Python per second."""
    return int(np.clip(budget * PIECE_SECONDS / max(seconds, 1e-6), 1, 10 * budget))
