"""Parallel execution of blocks of members: threads, or an executor."""

from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from queue import SimpleQueue
from threading import Event

import numpy as np
from numpy.typing import NDArray

from mbdgen.errors import BuildError, MbdgenError
from mbdgen.runtime.ensembles.ensemble_members import Members
from mbdgen.runtime.ensembles.job import BlockOutcome, Job
from mbdgen.runtime.ensembles.member_block import COLUMNS
from mbdgen.runtime.ensembles.one_by_one import OneByOne
from mbdgen.runtime.ensembles.remote import compute, module_of, task
from mbdgen.runtime.ensembles.series_stores import Store
from mbdgen.runtime.ensembles.worker import Worker
from mbdgen.runtime.ensembles.worker_selection import new_worker
from mbdgen.runtime.stepping.driver import INTERRUPTED
from mbdgen.runtime.system.run_workspace import COUNTERS
from mbdgen.runtime.system.system import System

Computed = tuple[NDArray[np.float64], BlockOutcome]
Submit = Callable[[int, int], "Future[Computed]"]

BLOCKS = 128
"""[M] So many blocks keep all cores busy to the end; their size must not depend on the cores."""
BLOCK_BYTES = 50_000_000


def block_size(members: int, member_bytes: int) -> int:
    """Return how many members are computed together."""
    return max(1, min(-(-members // BLOCKS), BLOCK_BYTES // max(member_bytes, 1)))


@contextmanager
def threads(
    system: System, job: Job, members: Members, store: Store, workers: int, stop: Event
) -> Iterator[Submit]:
    """Provide a function that submits blocks to threads, each with a workspace of its own."""
    idle: SimpleQueue[Worker | OneByOne] = SimpleQueue()
    for _ in range(workers):
        idle.put(new_worker(system, job, stop))

    def block(first: int, last: int) -> Computed:
        worker, values = idle.get(), store.array_for(first, last)
        try:
            return values, worker.run(members.part(first, last), values)
        finally:
            idle.put(worker)

    with ThreadPoolExecutor(workers, "mbdgen-ensemble") as pool:
        yield lambda first, last: pool.submit(block, first, last)


@contextmanager
def elsewhere(system: System, job: Job, members: Members, executor: Executor) -> Iterator[Submit]:
    """Provide a function that submits blocks to an executor of the user."""
    module = module_of(system)

    def submit(first: int, last: int) -> "Future[Computed]":
        return executor.submit(compute, task(system, module, job, members.part(first, last)))

    yield submit


def run_blocks(
    submit: Submit,
    blocks: list[tuple[int, int]],
    window: int,
    ahead: int,
    finished: Callable[[int, NDArray[np.float64], BlockOutcome], None],
    stop: Event,
) -> bool:
    """Submit blocks and hand over each that is finished.

    Parameters
    ----------
    submit, finished : callable
        Take a block and return its future; take what has been computed.
    blocks : list of (int, int)
        First member of each, and first member behind it.
    window, ahead : int
        Largest number of blocks in progress, and of blocks that the last is ahead of the first.
    stop : Event
        Set after an interrupt or error, so that threads give up.

    Returns
    -------
    bool
        False if the user interrupted it; then some blocks were not handed over.
    """
    next_one = 0
    pending: dict[Future[Computed], int] = {}
    try:
        while True:
            oldest = min(pending.values(), default=next_one)
            last = min(len(blocks), oldest + ahead)
            while len(pending) < window and next_one < last:
                pending[submit(*blocks[next_one])] = next_one
                next_one += 1
            if not pending:
                return True
            _collect(pending, blocks, finished)
    except KeyboardInterrupt:
        _cancel(pending, stop)
        while pending:
            _collect(pending, blocks, finished)
        return False
    except BaseException:
        _cancel(pending, stop)
        raise


def _collect(
    pending: "dict[Future[Computed], int]",
    blocks: list[tuple[int, int]],
    finished: Callable[[int, NDArray[np.float64], BlockOutcome], None],
) -> None:
    """Wait for a block and hand it over."""
    done, _ = wait(pending, return_when=FIRST_COMPLETED)
    for future in done:
        first = blocks[pending.pop(future)][0]
        try:
            values, outcome = future.result()
        except (MbdgenError, KeyboardInterrupt):
            raise
        except Exception as error:
            raise BuildError(
                f"The members from {first} on could not be computed "
                f"({type(error).__name__}: {error}).",
                "If an executor did that, check that it has mbdgen in this version.",
            ) from error
        finished(first, values, outcome)


def _cancel(pending: "dict[Future[Computed], int]", stop: Event) -> None:
    stop.set()
    for future in list(pending):
        if future.cancel():
            del pending[future]


def not_computed(count: int, shape: tuple[int, ...]) -> Computed:
    """Return the result of a block that was never begun."""
    status = np.full(count, -INTERRUPTED, np.int64)
    numbers = np.full((count, COLUMNS), np.nan)
    messages = dict.fromkeys(range(count), "Not computed: the ensemble was interrupted.")
    outcome = BlockOutcome(status, np.zeros((count, COUNTERS), np.int64), numbers, messages)
    return np.full((count, *shape), np.nan), outcome
