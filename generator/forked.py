"""Parallel execution of independent tasks in forked copies of this process.

Forked copies share the state of the process, so nothing needs to be pickled: model files define
classes that no other process could import. Tasks must return their results in files. Where a
process cannot be forked, or has threads whose locks would be copied too, it runs all tasks itself.
"""

import multiprocessing
import threading
from collections.abc import Sequence
from functools import partial
from typing import Any

from mbdgen.runtime.program.processors import cores

Task = partial[Any]


class Copies:
    """Tasks distributed over forked copies of this process.

    Parameters
    ----------
    tasks : sequence of partial
        Each is run once, here or in a copy.
    """

    def __init__(self, tasks: Sequence[Task]) -> None:
        count = _copies(len(tasks))
        self.mine = tasks[::count]
        self._children = [
            multiprocessing.get_context("fork").Process(target=_quietly, args=(tasks[k::count],))
            for k in range(1, count)
        ]

    def __enter__(self) -> Sequence[Task]:
        for child in self._children:
            child.start()
        return self.mine

    def __exit__(self, kind: object, *_: object) -> None:
        for child in self._children:
            if kind is not None:
                child.terminate()
            child.join()


def _copies(tasks: int) -> int:
    """Return the number of processes; forking one with several threads could cause a deadlock."""
    possible = "fork" in multiprocessing.get_all_start_methods() and threading.active_count() == 1
    return max(1, min(cores(), tasks)) if possible else 1


def _quietly(tasks: Sequence[Task]) -> None:
    for task in tasks:
        try:
            task()
        except Exception:  # the original process repeats the task and reports the error
            pass
