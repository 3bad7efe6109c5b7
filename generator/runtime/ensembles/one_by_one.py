"""Ensemble members simulated one by one, as by `simulate`.

It handles what the compiled loop over members does not: switching of orientation charts near
singularities, contact events, changing contact pairs, and moving markers that leave their path,
which ends the run of a member.
"""

import time
import warnings
from dataclasses import replace
from threading import Event

import numpy as np
from numpy.typing import NDArray

from mbdgen.errors import AccuracyWarning, MbdgenError
from mbdgen.runtime.ensembles.ensemble_members import Members
from mbdgen.runtime.ensembles.job import (
    ENDED,
    NOT_ASSEMBLED,
    BlockOutcome,
    Job,
    Moved,
    checked,
    table_of,
)
from mbdgen.runtime.ensembles.member_block import COLUMNS, FROM_PROGRESS, TOTAL_ENERGY
from mbdgen.runtime.initialisation.assembly import assemble
from mbdgen.runtime.initialisation.constraint_diagnosis import check_motion, diagnose
from mbdgen.runtime.methods.scheme import Scheme
from mbdgen.runtime.monitors.energy_balance import balance_terms
from mbdgen.runtime.monitors.orientation_charts import OrientationCharts
from mbdgen.runtime.monitors.recorder import Record
from mbdgen.runtime.stepping.contact_stepping import TouchingRun
from mbdgen.runtime.stepping.driver import INTERRUPTED, STOPPED, Run
from mbdgen.runtime.stepping.run_messages import outcome
from mbdgen.runtime.system import run_workspace
from mbdgen.runtime.system.system import System
from mbdgen.runtime.system.system_data import FloatArray


class OneByOne:
    """Computes blocks of members, for one thread at a time.

    Parameters
    ----------
    system : System
        Copied: parameters and initial values that members do not give are those of this moment.
    job : Job
        What is done with every member.
    stop : Event
        Set by another thread: give up.
    """

    def __init__(self, system: System, job: Job, stop: Event) -> None:
        self._given, self._job, self._stop = system.copy(), job, stop
        self._scheme = Scheme(job.method, job.options)

    def run(self, members: Members, values: NDArray[np.float64]) -> BlockOutcome:
        """Compute members and write their series into ``values``."""
        cpu = time.thread_time()
        count = len(members)
        found = BlockOutcome(
            status=np.zeros(count, np.int64),
            counters=np.zeros((count, run_workspace.COUNTERS), np.int64),
            numbers=np.full((count, COLUMNS), np.nan),
        )
        values[:] = np.nan
        moved = Moved.new(count, self._given.n_q)
        for k in range(count):
            if self._stop.is_set():
                found.status[k], text = -INTERRUPTED, "not computed (interrupted)."
            else:
                try:
                    text = self._simulate(members, k, values[k], found, moved)
                except MbdgenError as error:
                    found.status[k], text = -NOT_ASSEMBLED, str(error)
            if found.status[k] != run_workspace.OK:
                found.messages[k] = f"{members.describe(k)}: {text}"
        found = replace(found, cpu_s=time.thread_time() - cpu)
        return checked(found, moved, self._job, self._given.names, members)

    def _simulate(
        self, members: Members, k: int, values: FloatArray, found: BlockOutcome, moved: Moved
    ) -> str:
        """Simulate one member, note how it ended and return the words for it."""
        plan, scheme = self._job.plan, self._scheme
        system = self._given.copy()
        system.set(**members.parameters(k))
        for target, given in ((system.q0, members.q0), (system.v0, members.v0)):
            if given is not None:
                np.copyto(target, given[k], where=~np.isnan(given[k]))
        attitudes = OrientationCharts(system, rebase=True)
        begin = float(plan.instants[0])
        state = assemble(system, begin)
        diagnosis = diagnose(system, begin, state.q)
        check_motion(system, diagnosis)
        system.work.counters[:] = 0
        kind = TouchingRun if len(system.data.contacts) else Run
        run = kind(system, scheme, state, diagnosis.dof, [], None, lambda t: None, attitudes)
        status = run.integrate(plan)
        if (run.missed or run.contacts) and (missed := run.missed_contacts()):
            warnings.warn(f"{members.describe(k)}: {missed}", AccuracyWarning, stacklevel=2)
        reached = float(state.clock[0])
        rows = int(np.count_nonzero(plan.instants[plan.keep] <= reached))
        self._take(run.rows.record, rows, values)
        if rows:
            q = run.rows.record.q[:rows]
            moved.energies[k] = balance_terms(run.rows.record.energies[:rows])
            moved.least[k], moved.most[k] = q.min(axis=0), q.max(axis=0)
        numbers = run.progress.numbers
        found.status[k] = ENDED if status == STOPPED else -status
        found.counters[k] = system.work.counters
        found.numbers[k] = reached, *(numbers[i] for i in FROM_PROGRESS)
        causes = diagnosis, attitudes, run.stopped_by
        return outcome(system, scheme, state, status, self._job.h, 1, *causes)

    def _take(self, record: Record, rows: int, values: FloatArray) -> None:
        """Take the wanted series from the first rows of the record of a member."""
        for k, column in enumerate(self._job.series):
            table, index = table_of(column)
            if table == TOTAL_ENERGY:
                values[:rows, k] = record.energies[:rows, 0] + record.energies[:rows, 1]
            else:
                values[:rows, k] = record[table][:rows, index]
