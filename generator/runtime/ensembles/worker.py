"""Ensemble worker: the workspace of one thread, and fallbacks of the compiled loop."""

import time
from threading import Event

import numpy as np
from numpy.typing import NDArray

from mbdgen.errors import MbdgenError
from mbdgen.runtime.ensembles.ensemble_members import Members
from mbdgen.runtime.ensembles.job import (
    NOT_ASSEMBLED,
    BlockOutcome,
    Job,
    Moved,
    checked,
    table_of,
)
from mbdgen.runtime.ensembles.member_block import (
    ASSEMBLED,
    COLUMNS,
    FROM_PROGRESS,
    MEMBER,
    NEW,
    PENDING,
    RUNNING,
    STAGE,
    MemberBlock,
)
from mbdgen.runtime.ensembles.one_by_one import OneByOne
from mbdgen.runtime.initialisation.assembly import assemble, assemble_with_care
from mbdgen.runtime.initialisation.constraint_diagnosis import Diagnosis, check_motion, diagnose
from mbdgen.runtime.initialisation.fast_initialisation import new_initialisation_workspace
from mbdgen.runtime.linalg.run_factors import SINGULAR, RunFactors
from mbdgen.runtime.methods.scheme import Scheme
from mbdgen.runtime.monitors import recorder
from mbdgen.runtime.monitors.angle_unwrapping import forget_turns
from mbdgen.runtime.monitors.orientation_charts import OrientationCharts
from mbdgen.runtime.monitors.recorder import INTERVAL
from mbdgen.runtime.stepping.driver import INTERRUPTED, MOST_REPIVOTS, next_budget
from mbdgen.runtime.stepping.run_buffers import Course
from mbdgen.runtime.stepping.run_messages import outcome
from mbdgen.runtime.stepping.stepper_selection import new_steps
from mbdgen.runtime.system import run_workspace
from mbdgen.runtime.system.run_workspace import State
from mbdgen.runtime.system.system import System

HALVED = (run_workspace.NOT_CONVERGED, run_workspace.TURNS_UNKNOWN)
"""Statuses of steps that a single run bisects."""
PIECE_BYTES = 200_000
"""Of recorded motion, before the wanted series are taken from it: it stays in the cache."""


class Worker:
    """Computes blocks of members, for one thread at a time.

    Parameters
    ----------
    system : System
        Copied: parameters and initial values that members do not give are those of this moment.
    job : Job
        The computation of every member.
    stop : Event, optional
        Set by another thread: give up.
    """

    def __init__(self, system: System, job: Job, stop: Event | None = None) -> None:
        self._base, self._system, self._job = system.copy(), system.copy(), job
        self._stop = stop or Event()
        data = system.data
        self._system.allocate_history(job.method.kept)
        self._options = np.array([*job.options, *job.method.constants])
        self._state = run_workspace.new_state(data.n_q, data.n_lam)
        self._backup = run_workspace.new_state(data.n_q, data.n_lam)
        self._progress = recorder.new_progress(Scheme(job.method, job.options).order)
        self._as_given = system.as_given
        self._initialisation = new_initialisation_workspace(self._system.work, data, self._as_given)
        rows = max(2, min(PIECE_BYTES // recorder.row_bytes(data), len(job.plan.instants)))
        self._record = recorder.new_record(rows, data)
        self._pivots = RunFactors(self._system, job.method, tuple(self._options))
        self._steps = new_steps(self._system, job.method, self._state)

    def warm_up(self) -> "Worker":
        """Make the first (slow, compiling) call of the compiled loop."""
        keep, series = self._job.plan.keep, len(self._job.series)
        nobody = Members((), np.zeros((0, 0)))
        self._advance(self._block(nobody, np.zeros((0, int(keep.sum()), series)), {}), 0, 0)
        return self

    def run(self, members: Members, values: NDArray[np.float64]) -> BlockOutcome:
        """Compute members and write their series into ``values``."""
        cpu = time.thread_time()
        messages: dict[int, str] = {}
        warned: dict[int, tuple[str, ...]] = {}
        # The last member of the block before may have left pivots, and others group them otherwise.
        self._pivots.forget()
        block = self._block(members, values, messages)
        place, budget, repivots = block.place, 10_000, 0
        owner = -1  # the member that the pivots were chosen for
        before = (-1, -1, -1)
        while place[MEMBER] < len(members):
            wall = time.perf_counter()
            status = self._advance(block, owner + 1 if owner >= 0 else len(members), budget)
            wall = time.perf_counter() - wall
            member = int(place[MEMBER])
            if owner >= 0 and member != owner:
                self._pivots.forget()
                owner = -1
            if status == run_workspace.OK:
                continue
            if self._stop.is_set():
                give_up(block, members, messages)
                break
            if status == run_workspace.PAUSED:
                budget = next_budget(budget, wall)
                continue
            interval, substep, *_ = map(int, self._progress.position)
            here = (member, interval, substep)
            repivots, before = (repivots if here == before else 0), here
            try:
                if status == run_workspace.IRREGULAR:
                    self._assemble(block)
                elif status == run_workspace.NEEDS_PIVOTS:
                    self._pivots.choose(self._state, self._job.plan.first_step)
                    owner = member
                elif status in SINGULAR and repivots < MOST_REPIVOTS:
                    owner, repivots = member, repivots + 1
                    if not self._pivots.renew(status, self._state):
                        self._fail(block, members, SINGULAR[status], messages)
                elif status in HALVED and self._job.method.varies:
                    if texts := self._alone(block, members, messages):
                        warned[member] = texts
                else:
                    self._fail(block, members, status, messages)
            except MbdgenError as error:
                refuse(block, members, member, str(error), messages)
        seconds = time.thread_time() - cpu
        found = BlockOutcome(block.status, block.counters, block.numbers, messages, seconds, warned)
        moved = Moved(block.energies, block.least, block.most)
        return checked(found, moved, self._job, self._base.names, members)

    def _advance(self, block: MemberBlock, last: int, budget: int) -> int:
        """Enter the compiled loop."""
        course = Course(
            work=self._system.work,
            state=self._state,
            backup=self._backup,
            progress=self._progress,
            record=self._record,
            instants=self._job.plan.instants,
            substeps=self._job.plan.substeps,
            brief=self._job.plan.brief,
            options=self._options,
            tangent=self._pivots.tangent,
            mass=self._pivots.mass,
        )
        return self._steps.run_members(course, last, budget, self._initialisation, block)

    def _block(
        self, members: Members, values: NDArray[np.float64], messages: dict[int, str]
    ) -> MemberBlock:
        """Evaluate the tables of every member."""
        base, count, keep = self._base, len(members), self._job.plan.keep
        sources = [table_of(column) for column in self._job.series]
        moved = Moved.new(count, base.n_q)
        block = MemberBlock(
            p=np.empty((count, len(base.work.p))),
            q0=np.empty((count, base.n_q)),
            v0=np.empty((count, base.n_q)),
            values=values,
            row=np.where(keep, np.cumsum(keep) - 1, -1).astype(np.int64),
            table=np.array([table for table, _ in sources], np.int64),
            column=np.array([column for _, column in sources], np.int64),
            status=np.full(count, PENDING, np.int64),
            counters=np.zeros((count, run_workspace.COUNTERS), np.int64),
            numbers=np.full((count, COLUMNS), np.nan),
            energies=moved.energies,
            least=moved.least,
            most=moved.most,
            place=np.array([0, NEW], np.int64),
        )
        forget_turns(base)
        for k in range(count):
            try:
                if members.names:
                    base.set(**members.parameters(k))
            except MbdgenError as error:
                refuse(block, members, k, str(error), messages)
            block.p[k], block.q0[k], block.v0[k] = base.work.p, base.q0, base.v0
        as_given = base.as_given and members.q0 is None and members.v0 is None
        for target, given in ((block.q0, members.q0), (block.v0, members.v0)):
            if given is not None:
                np.copyto(target, given, where=~np.isnan(given))
        block.place[:] = 0, NEW
        if as_given != self._as_given:
            self._as_given = as_given
            self._initialisation = new_initialisation_workspace(
                self._system.work, self._system.data, as_given
            )
        return block

    def _assemble(self, block: MemberBlock) -> None:
        """Compute consistent initial values if compiled assembly failed."""
        if self._as_given:  # they are those of this member's parameters
            for given, now in zip(
                self._system.given, (self._system.q0, self._system.v0), strict=True
            ):
                given[:] = now
        state = assemble_with_care(self._system, float(self._job.plan.instants[0]))
        self._check_motion(state)
        for target, source in zip(self._state, state, strict=True):
            target[:] = source
        block.place[STAGE] = ASSEMBLED

    def _check_motion(self, state: State) -> Diagnosis:
        diagnosis = diagnose(self._system, float(state.clock[0]), state.q)
        check_motion(self._system, diagnosis)
        return diagnosis

    def _alone(
        self, block: MemberBlock, members: Members, messages: dict[int, str]
    ) -> tuple[str, ...]:
        """Compute a member again as a single run, which bisects steps without convergence.

        It has been judged: its warnings are returned, and nothing is noted that would be again.
        """
        k = int(block.place[MEMBER])
        one = members.part(k, k + 1)
        found = OneByOne(self._base, self._job, self._stop).run(one, block.values[k : k + 1])
        block.status[k] = found.status[0]
        block.counters[k], block.numbers[k] = found.counters[0], found.numbers[0]
        if found.messages:
            messages[k] = found.messages[0]
        block.energies[k] = np.nan
        block.place[:] = k + 1, NEW
        return found.warnings.get(0, ())

    def _fail(
        self, block: MemberBlock, members: Members, status: int, messages: dict[int, str]
    ) -> None:
        """Note a failed run, with the words of a single one."""
        member, system, job = int(block.place[MEMBER]), self._system, self._job
        reached, tables = self._state, system.work
        block.counters[member] = tables.counters
        numbers = self._progress.numbers
        drift = [numbers[k] for k in FROM_PROGRESS]
        begun = block.place[STAGE] == RUNNING
        kept = self._progress.position[INTERVAL] + 1 if begun else 0
        rows = block.row[kept:]
        block.values[member, rows[rows >= 0]] = np.nan
        residual = tables.residual.copy()
        diagnosis = self._check_motion(assemble(system, float(job.plan.instants[0])))
        tables.residual[:] = residual  # it diagnoses the failure
        scheme = Scheme(job.method, job.options)
        text = outcome(
            system,
            scheme,
            reached,
            status,
            job.h,
            1,
            diagnosis,
            OrientationCharts(system, rebase=True),
        )
        at = float(reached.clock[0])
        refuse(block, members, member, text, messages, status)
        block.numbers[member] = at, *drift


def refuse(
    block: MemberBlock,
    members: Members,
    member: int,
    text: str,
    messages: dict[int, str],
    status: int = NOT_ASSEMBLED,
) -> None:
    """Note that a member failed and go to the next."""
    if status == NOT_ASSEMBLED:
        block.values[member] = np.nan
    block.status[member] = -status
    messages[member] = f"{members.describe(member)}: {text}"
    block.place[:] = member + 1, NEW


def give_up(block: MemberBlock, members: Members, messages: dict[int, str]) -> None:
    """Note that the members that are left were not computed."""
    for member in np.flatnonzero(block.status == PENDING):
        refuse(block, members, int(member), "not computed (interrupted).", messages)
        block.status[member] = -INTERRUPTED
