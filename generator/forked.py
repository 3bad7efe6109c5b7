"""Independent tasks on several processors, in copies of this process.

Copies know everything that the process knows, so nothing needs to be pickled: model files define
classes that no other process could import. What a task finds must be left in a file. Where a
process cannot be copied, or has threads whose locks would be copied too, it does everything itself.
"""

import multiprocessing
import threading
from collections.abc import Sequence
from functools import partial
from typing import Any

from mbdgen.runtime.program.processors import cores

Task = partial[Any]


class Copies:
    """Tasks shared with copies of this process.

    Parameters
    ----------
    tasks : sequence of partial
        Done once each, here or in a copy.
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
    """Return how many processes work; copying one with several threads could lock it up."""
    possible = "fork" in multiprocessing.get_all_start_methods() and threading.active_count() == 1
    return max(1, min(cores(), tasks)) if possible else 1


def _quietly(tasks: Sequence[Task]) -> None:
    for task in tasks:
        try:
            task()
        except Exception:  # the original process does it again and reports it
            pass
