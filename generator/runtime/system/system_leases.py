"""Thread safety of systems: each run has its own copy of parameters and workspace (a lease).

A run copies the values at its start. A callback, which belongs to the thread of its run, reads and
changes the copies; other threads, and runs inside a callback, start from the values of the system.
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
"""Constant arrays of `RunWorkspace`."""


@dataclass
class Numbers:
    """Mutable values of a system: workspace, parameters, initial conditions."""

    work: RunWorkspace
    values: dict[str, float]
    q0: FloatArray
    v0: FloatArray

    def copy(self) -> "Numbers":
        """Return an independent copy, without the memory of earlier steps."""
        arrays = {
            name: array if name in _SHARED else array.copy()
            for name, array in self.work._asdict().items()
        }
        weights = arrays["weights"]
        work = RunWorkspace(**{**arrays, "eps": weights[3:]})  # a view of the weights
        work.kept[...] = 0.0
        work.memory[:] = 0.0
        work.counters[:] = 0
        return Numbers(work, dict(self.values), self.q0.copy(), self.v0.copy())


class Leases:
    """Leases of one system: the values used by the runs of each thread."""

    def __init__(self) -> None:
        self.lock = threading.RLock()
        self._mine = threading.local()
        self._changes = 0
        self._changed_by: object = None

    def __reduce__(self) -> tuple[Any, ...]:
        return Leases, ()  # copies of a system, also in other processes, have no runs

    @property
    def current(self) -> Numbers | None:
        """Values of the current run in this thread; those of the innermost run if nested."""
        stack = getattr(self._mine, "stack", None)
        return stack[-1] if stack else None

    @contextmanager
    def lease(self, own: Numbers, model: str) -> Iterator[None]:
        """Let everything in the block, in this thread, use a copy of the values."""
        with self.lock:
            self._check_unmixed(model)
            numbers = own.copy()
        before = numbers.q0.copy(), numbers.v0.copy()
        stack = self._mine.__dict__.setdefault("stack", [])
        stack.append(numbers)
        try:
            yield
        finally:
            stack.pop()
            # A callback may have changed them.
            if not np.array_equal(numbers.q0, before[0]):
                own.q0 = numbers.q0
            if not np.array_equal(numbers.v0, before[1]):
                own.v0 = numbers.v0
            # Enlarged tables of contact pairs, which the next run needs as well.
            if len(numbers.work.m) > len(own.work.m):
                own.work = own.work._replace(m=numbers.work.m)

    def note_change(self) -> None:
        """Record that this thread has set parameters."""
        mine = self._mine.__dict__
        self._changes += 1
        self._changed_by = mine.setdefault("token", object())
        mine["seen"] = self._changes

    def _check_unmixed(self, model: str) -> None:
        """Refuse a run after another thread has changed parameters that this one had set."""
        mine = self._mine.__dict__
        seen = mine.get("seen")
        if seen is None or self._changes == seen or self._changed_by is mine["token"]:
            return
        raise OptionError(
            f"Another thread has changed parameters of '{model}' since this one set its own.",
            "Give each thread a system of its own, system.copy(), or set them again here.",
        )


def with_own_numbers(function: Callable[P, T]) -> Callable[P, T]:
    """Decorate a function of a system so that every call uses its own copy of the values."""

    @wraps(function)
    def call(*args: P.args, **given: P.kwargs) -> T:
        system = args[0] if args else given.get("system", given.get("grouped"))
        lease = getattr(system, "leased", None)
        with nullcontext() if lease is None else lease():
            return function(*args, **given)

    return call
