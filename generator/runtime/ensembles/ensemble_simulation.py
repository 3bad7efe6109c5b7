"""Ensemble simulation (parameter sweeps): ``simulate_many``.

`simulate_many` is long because it is what users read the documentation of.
"""

import logging
import os
import time
import warnings
from collections.abc import Iterable, Sequence
from concurrent.futures import Executor
from contextlib import AbstractContextManager
from threading import Event
from typing import Any, Unpack

import numpy as np
from numpy.typing import NDArray

from mbdgen.errors import AccuracyWarning, OptionError
from mbdgen.limits import require
from mbdgen.runtime.accuracy.sampled_steps import with_samples
from mbdgen.runtime.ensembles.ensemble_export import header
from mbdgen.runtime.ensembles.ensemble_members import Members, members
from mbdgen.runtime.ensembles.ensemble_result import EnsembleInfo, EnsembleResult
from mbdgen.runtime.ensembles.job import BlockOutcome, Job
from mbdgen.runtime.ensembles.member_block import COLUMNS
from mbdgen.runtime.ensembles.parallel import (
    Submit,
    block_size,
    elsewhere,
    not_computed,
    run_blocks,
    threads,
)
from mbdgen.runtime.ensembles.series_stores import ParquetStore, Store, check_out, opened
from mbdgen.runtime.ensembles.sweep_identity import identity_of
from mbdgen.runtime.ensembles.sweep_resumption import entries, finished_parts, joined
from mbdgen.runtime.ensembles.unfinished_sweep import Finished, check_not_unfinished
from mbdgen.runtime.integrators.base import Method
from mbdgen.runtime.methods.method_limits import SCHEME_LIMITS
from mbdgen.runtime.methods.option_keywords import MethodOptions
from mbdgen.runtime.methods.run_limits import CONTROLS, ENSEMBLE, RUN_CONTROL_LIMITS, controls_of
from mbdgen.runtime.methods.scheme import Scheme, choose_own
from mbdgen.runtime.program.processors import cores
from mbdgen.runtime.results.result_series import Directory, SeriesColumn
from mbdgen.runtime.simulate import check_system
from mbdgen.runtime.stepping.argument_validation import Schedule, schedule, time_span
from mbdgen.runtime.stepping.number_arguments import finite
from mbdgen.runtime.stepping.progress import progress_bar
from mbdgen.runtime.system.model_argument import takes_model
from mbdgen.runtime.system.run_workspace import COUNTERS
from mbdgen.runtime.system.second_derivatives import check_kernels
from mbdgen.runtime.system.system import System
from mbdgen.runtime.system.system_data import FloatsLike
from mbdgen.runtime.system.system_features import features_of

LOG = logging.getLogger("mbdgen.runtime.ensembles")


@takes_model
def simulate_many(
    system: System,
    /,
    span: FloatsLike,
    parameters: Any = None,
    q0: Any = None,
    v0: Any = None,
    method: str | Method = "newmark",
    h: float = 1e-3,
    every: int = 1,
    t_eval: FloatsLike | None = None,
    series: str | Sequence[str] | None = None,
    workers: int | None = None,
    out: str | os.PathLike[str] | None = None,
    executor: Executor | None = None,
    progress: bool | str = "auto",
    resume: bool = False,
    **method_options: Unpack[MethodOptions],
) -> EnsembleResult:
    """Simulate many parameter sets or initial states of one system on all cores.

    The results of a member are those of ``simulate`` with its parameters and the instants
    ``t_eval=result.t``, bit for bit, whatever the number of workers.

    Parameters
    ----------
    system : System or model
        From a generated module or ``mbdgen.load``; it is not changed. What members do not give has
        its present value there.
    span : (float, float)
        Start and end time.
    parameters : mapping, data frame, structured array or list of mappings, optional
        Values of named parameters, one for every member. `mbdgen.grid` makes all combinations.
    q0, v0 : array (members, n_q) or mapping from names of coordinates to values, optional
        Guesses of initial coordinates and velocities; each member is assembled from its own.
    method, h, t_eval, **method_options
        As for ``simulate``.
    every : int
        Without ``t_eval``: each ``every``-th step is recorded.
    series : str or sequence of str, optional
        What is kept: names or groups as in a result, or "all". By default the outputs of the
        model; its coordinates if it has none.
    workers : int, optional
        Threads; by default one for every core. For an executor: how many workers it has, which get
        two blocks each at a time.
    out : path, optional
        Parquet file that the series are written to as they are computed, one row for every member
        and instant. Without it they are kept in memory, above a quarter of it in a temporary file.
    executor : concurrent.futures.Executor, optional
        Computes the blocks of members instead of threads: a process pool, or a cluster's
        (``distributed.Client.get_executor()``).
    progress : "auto" or bool
        Progress bar on stderr.
    resume : bool
        Reuse the members contained in ``out``, or left by an interrupted sweep in
        ``out + ".unfinished"``, and compute the others; files of another sweep are refused.

    Returns
    -------
    EnsembleResult
        Also if members failed: they are listed in ``failed``, their ``messages`` say why;
        ``warnings`` are those of single runs about energy that a method has taken away.
    """
    began = time.perf_counter()
    check_system("simulate_many", system)
    _check_executor(executor)
    ends, given = time_span(span, backward=True), dict[str, Any](method_options)
    asked = {name: x for name, x in given.items() if name in ("atol", *CONTROLS)}
    for control in controls_of(asked, ends):
        require(RUN_CONTROL_LIMITS, run=ENSEMBLE, control=control)
    chosen, options = choose_own(method, given, given.pop("formulation", None))
    check_kernels(system, chosen.kernels, f"Method '{chosen.name}'")
    require(SCHEME_LIMITS, features_of(system), scheme=Scheme(chosen, options))
    plan = _plan(ends, h, t_eval, _count("every", every))
    plan = with_samples(plan, Scheme(chosen, options))  # steps of a single run, to the last bit
    group = members(system, parameters, q0, v0)
    job = Job(chosen, options, plan, float(h), _series(system, series))
    path = None if out is None else check_out(out)
    if resume and path is None:
        raise OptionError(
            "resume = True, but there is no file to resume from.", "Give it: out='file.parquet'."
        )
    count = cores() if workers is None else _count("workers", workers)

    t = plan.instants[plan.keep]
    size = block_size(len(group), 8 * len(t) * len(job.series))
    if executor is None:
        count = min(count, -(-len(group) // size))
    stop = Event()
    identity = identity_of(system, job, group, size)
    if path is not None and not resume:
        check_not_unfinished(path, identity)
    with opened(path, group, t, job.series, size, identity) as store:
        work: AbstractContextManager[Submit] = (
            threads(system, job, group, store, count, stop)
            if executor is None
            else elsewhere(system, job, group, executor)
        )
        gathered = _Gathered(store, len(group), size)
        known: Iterable[Finished] = ()
        if resume and path is not None:
            known = finished_parts(path, identity, len(t), job.series)
        gathered.take_over(known)
        title = f"{system.data.model} x {len(group)}"
        with progress_bar(progress, title, 0.0, len(group)) as report, work as submit:
            gathered.fill(submit, 2 * count, report, stop, (len(t), len(job.series)))
        result = EnsembleResult(
            t=t,
            parameters=dict(zip(group.names, group.values.T, strict=True)),
            columns=job.series,
            store=store,
            status=gathered.status,
            messages=gathered.messages,
            warnings=gathered.warnings,
            counters=gathered.counters,
            numbers=gathered.numbers,
            names=system.names,
            info=_info(system, job, group, count),
            timings={"wall_s": time.perf_counter() - began, "cpu_s": gathered.cpu_s},
            path=path,
            resumed=gathered.resumed,
        )
        if isinstance(store, ParquetStore):
            store.close(header(result), entries(identity, gathered.outcome()))
    if not result.success:
        LOG.warning("%s", result.message)
    if text := result.warned:
        warnings.warn(f"'{result.info.model}': {text}", AccuracyWarning, stacklevel=2)
    return result


def _check_executor(executor: object) -> None:
    if executor is not None and not isinstance(executor, Executor):
        raise OptionError(
            f"executor is no executor but {type(executor).__name__}.",
            "Give an object with the interface of concurrent.futures.Executor.",
        )


def _plan(span: tuple[float, float], h: object, t_eval: FloatsLike | None, every: int) -> Schedule:
    if t_eval is not None and every > 1:
        raise OptionError(
            f"every = {every} and t_eval both say what is recorded.", "Give one of them."
        )
    return schedule(span, h, t_eval, every)


class _Gathered:
    """Collected results of the blocks of an ensemble.

    Parameters
    ----------
    store : Store
        Gets whole blocks.
    count, size : int
        Members, and members of a block.
    """

    def __init__(self, store: Store, count: int, size: int) -> None:
        self._store, self._done, self._size = store, np.zeros(count, bool), size
        self._begun: dict[int, tuple[int, NDArray[np.float64], BlockOutcome]] = {}
        self.status = np.zeros(count, np.int64)
        self.counters = np.zeros((count, COUNTERS), np.int64)
        self.numbers = np.zeros((count, COLUMNS))
        self.messages: dict[int, str] = {}
        self.warnings: dict[int, tuple[str, ...]] = {}
        self.cpu_s = 0.0
        self.resumed = 0

    def take_over(self, parts: Iterable[Finished]) -> None:
        """Keep what was computed before: whole blocks, and beginnings of others."""
        for first, values, outcome in parts:
            last = min(first + self._size, len(self.status))
            if first % self._size or first + len(values) > last or self._done[first]:
                continue
            self.resumed += len(values)
            for end in [k for k, (begin, *_) in self._begun.items() if begin == first]:
                self.resumed -= len(self._begun.pop(end)[1])  # since then the block was finished
            if first + len(values) == last:
                self.put(first, values, outcome)
            else:
                self._begun[first + len(values)] = first, values, outcome
        if isinstance(self._store, ParquetStore):
            self._store.appear(self._begun.values())

    def fill(
        self, submit: Submit, window: int, report: Any, stop: Event, shape: tuple[int, ...]
    ) -> None:
        """Compute all blocks; those that an interrupt prevents are marked."""
        total, size = len(self.status), self._size
        begun = {first: begin for begin, (first, *_) in self._begun.items()}
        blocks = [
            (begun.get(first, first), min(first + size, total))
            for first in range(0, total, size)
            if not self._done[first]
        ]

        def finished(first: int, values: NDArray[np.float64], outcome: BlockOutcome) -> None:
            if first in self._begun:
                first, before, head = self._begun.pop(first)
                values, outcome = np.concatenate([before, values]), joined(head, outcome)
            self.put(first, values, outcome)
            report(float(self._done.sum()))

        # What waits for an earlier block to be written must not fill the memory.
        ahead = 4 * window if isinstance(self._store, ParquetStore) else len(blocks)
        if not run_blocks(submit, blocks, window, ahead, finished, stop):
            for first, last in blocks:
                if not self._done[first]:
                    finished(first, *not_computed(last - first, shape))

    def put(self, first: int, values: NDArray[np.float64], outcome: BlockOutcome) -> None:
        """Keep a block."""
        rows = slice(first, first + len(values))
        self._store.put(first, values, outcome)
        self._done[rows] = True
        self.status[rows] = outcome.status
        self.counters[rows] = outcome.counters
        self.numbers[rows] = outcome.numbers
        self.messages |= {first + k: text for k, text in outcome.messages.items()}
        self.warnings |= {first + k: texts for k, texts in outcome.warnings.items()}
        self.cpu_s += outcome.cpu_s

    def outcome(self) -> BlockOutcome:
        """Return how all members ended."""
        return BlockOutcome(
            *(self.status, self.counters, self.numbers, self.messages, self.cpu_s, self.warnings)
        )


def _count(name: str, value: object) -> int:
    number = finite(value)
    if number is None or number < 1 or number != int(number):
        raise OptionError(f"{name} = {value!r} is not a positive whole number.", "Give 1, 2, ...")
    return int(number)


def _series(system: System, wanted: str | Sequence[str] | None) -> tuple[SeriesColumn, ...]:
    """Return the columns that are kept of every member."""
    directory = Directory(system.names)
    if wanted == "all":
        return tuple(directory.everything)
    keys = wanted if wanted is None or isinstance(wanted, str) else list(wanted)
    if keys is not None and not len(keys):
        raise OptionError(
            "series is empty: nothing would be kept.", "Name series, or leave the option out."
        )
    return tuple(directory.wanted(keys))


def _info(system: System, job: Job, group: Members, workers: int) -> EnsembleInfo:
    data = system.data
    return EnsembleInfo(
        model=data.model,
        method=job.method.name,
        formulation=job.method.formulation,
        backend=data.backend,
        layout=data.layout,
        members=len(group),
        h=job.h,
        t_end=float(job.plan.instants[-1]),
        workers=workers,
    )
