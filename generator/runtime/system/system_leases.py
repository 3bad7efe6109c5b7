"""Numbers and room of a system for one run at a time: runs of several threads do not meet.

A run gets copies when it begins. A callback, which belongs to the thread of its run, sees and
changes those; another thread, and a run inside a callback, begin with the numbers of the system.
"""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from functools import wraps
from typing import Any, ParamSpec, TypeVar

import numpy as np

from mbdgen.errors import OptionError
from mbdgen.runtime.system.run_workspace import RunWorkspace
from mbdgen.runtime.system.system_data import FloatArray

P = ParamSpec("P")
T = TypeVar("T")

_SHARED = frozenset(
    "indptr indices rows velocity_rows holonomic diagonal unit_blocks zero passes turns".split()
)
"""Arrays of `RunWorkspace` that nobody changes."""


@dataclass
class Numbers:
    """What changes of a system: tables and room, values of parameters, initial values."""

    work: RunWorkspace
    values: dict[str, float]
    q0: FloatArray
    v0: FloatArray

    def copy(self) -> "Numbers":
        """Return the same numbers in arrays of their own, with nothing left of earlier steps."""
        arrays = {
            name: array if name in _SHARED else array.copy()
            for name, array in self.work._asdict().items()
        }
        weights = arrays["weights"]
        work = RunWorkspace(**{**arrays, "eps": weights[3:]})  # what is behind the weights
        work.kept[...] = 0.0
        work.memory[:] = 0.0
        work.counters[:] = 0
        return Numbers(work, dict(self.values), self.q0.copy(), self.v0.copy())


class Leases:
    """Who works with which numbers of one system."""

    def __init__(self) -> None:
        self.lock = threading.RLock()
        self._mine = threading.local()
        self._changes = 0
        self._changed_by: object = None

    def __reduce__(self) -> tuple[Any, ...]:
        return Leases, ()  # a copy of a system, or one in another process, has no runs

    @property
    def current(self) -> Numbers | None:
        """Numbers of the run under way in this thread; the innermost, if there are several."""
        stack = getattr(self._mine, "stack", None)
        return stack[-1] if stack else None

    @contextmanager
    def lease(self, own: Numbers, model: str) -> Iterator[None]:
        """Let everything in the block, in this thread, work with copies of the numbers."""
        with self.lock:
            self._require_unmixed(model)
            numbers = own.copy()
        before = numbers.q0.copy(), numbers.v0.copy()
        stack = self._mine.__dict__.setdefault("stack", [])
        stack.append(numbers)
        try:
            yield
        finally:
            stack.pop()
            # A callback may have written there.
            if not np.array_equal(numbers.q0, before[0]):
                own.q0 = numbers.q0
            if not np.array_equal(numbers.v0, before[1]):
                own.v0 = numbers.v0
            # Room for pairs, which the next run needs too.
            if len(numbers.work.m) > len(own.work.m):
                own.work = own.work._replace(m=numbers.work.m)

    def note_change(self) -> None:
        """Remember that this thread has set parameters."""
        mine = self._mine.__dict__
        self._changes += 1
        self._changed_by = mine.setdefault("token", object())
        mine["seen"] = self._changes

    def _require_unmixed(self, model: str) -> None:
        """Refuse to run with parameters of another thread where this one has set its own."""
        mine = self._mine.__dict__
        seen = mine.get("seen")
        if seen is None or self._changes == seen or self._changed_by is mine["token"]:
            return
        raise OptionError(
            f"Another thread has changed parameters of '{model}' since this one set its own.",
            "Give each thread a system of its own, system.copy(), or set them again here.",
        )


def with_own_numbers(function: Callable[P, T]) -> Callable[P, T]:
    """Let every call of a function whose first argument is a system have numbers of its own."""

    @wraps(function)
    def call(*args: P.args, **given: P.kwargs) -> T:
        system = args[0] if args else given.get("system", given.get("grouped"))
        lease = getattr(system, "leased", None)
        with nullcontext() if lease is None else lease():
            return function(*args, **given)

    return call
