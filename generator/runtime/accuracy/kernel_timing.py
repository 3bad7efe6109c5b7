"""Timing of the compiled kernels of a step, by repeated calls."""

import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from mbdgen.runtime.linalg.linear_solver import FACTORS, Factors, factorise, solve
from mbdgen.runtime.monitors.recorder import (
    PROGRESS,
    RECORD,
    monitor,
    monitor_left,
    new_progress,
    new_record,
    record_state,
)
from mbdgen.runtime.program.compiled_functions import separate
from mbdgen.runtime.program.kernel_abi import KERNEL, KERNELS
from mbdgen.runtime.system.run_workspace import INT_ARRAY, REAL_ARRAY, STATE, WORK, State
from mbdgen.runtime.system.system import System
from mbdgen.runtime.system.system_data import FloatArray, IntArray
from mbdgen.subset import types

SHORTEST = 2e-3
"""Minimum duration of a measurement in seconds."""


def measure(
    system: System,
    state: State,
    factors: Mapping[str, tuple[Factors, FloatArray]],
    fused: Sequence[str],
) -> dict[str, float]:
    """Return the time of one call of every kernel at a state.

    Parameters
    ----------
    factors : mapping
        For each matrix by name: factors, and matching values.
    fused : sequence of str
        The fused kernels that a step calls; empty if it calls the others.
    """
    found: dict[str, float] = {}
    work, kernels = system.work, system.kernels
    room = system.data.fused_size + 2 * system.n + len(work.values)
    # In place of the accelerations some kernels read the factors of another position; their values
    # do not affect the time.
    at, out = state, np.zeros(room)
    if fused:
        small = _small(system, state)
        at = small._replace(a=np.zeros(room))
        _call(1, kernels.consistent, small, work.weights, work.p, work.m, at.a)
    for name in fused or ("residual", "rates", "matrix", "mass"):
        kernel = getattr(kernels, name)
        found[f"kernel {name}"] = _seconds(_call, kernel, at, work.weights, work.p, work.m, out)
    if not fused:
        rhs, x = np.ones(system.n), np.zeros(system.n)
        for name, (made, values) in factors.items():
            found[f"factorise {name}"] = _seconds(_factorise, made, values)
        found["solve"] = _seconds(_solve, factors["mass"][0], rhs, x)
    progress = new_progress()
    record = new_record(1, system.data)
    watch = _monitor if fused else _monitor_left
    found["monitor"] = _seconds(watch, kernels, work, state, progress)
    found["record"] = _seconds(_write, kernels, work, state, progress, record)
    return found


def _small(system: System, state: State) -> State:
    """Return the state that fused kernels work on."""
    if system.data.reduced is None:
        return state
    n_q, n_lam = system.data.reduced
    work, out = system.work, np.zeros(3 * n_q + n_lam)
    _call(1, system.kernels.gather, state, work.weights, work.p, work.m, out)
    q, v, a, lam = np.split(out, [n_q, 2 * n_q, 3 * n_q])
    return State(state.clock, q.copy(), v.copy(), a.copy(), lam.copy())


def _seconds(repeat: Callable[..., object], *arguments: Any) -> float:
    """Return the shortest time of one call, from loops that are long enough to be measured."""
    count, best = 1, float("inf")
    for _ in range(40):
        start = time.process_time()
        repeat(count, *arguments)
        seconds = time.process_time() - start
        if seconds >= SHORTEST:
            best = min(best, seconds / count)
            if seconds < 10 * SHORTEST:
                start = time.process_time()
                repeat(count, *arguments)
                best = min(best, (time.process_time() - start) / count)
            break
        count *= 4
    return best


@separate(types.void(types.int64, KERNEL, STATE, REAL_ARRAY, REAL_ARRAY, INT_ARRAY, REAL_ARRAY))
def _call(
    count: int,
    kernel: Any,
    state: State,
    w: FloatArray,
    p: FloatArray,
    m: IntArray,
    out: FloatArray,
) -> None:
    t, q, v, a, lam = state.clock[0], state.q, state.v, state.a, state.lam
    for _ in range(count):
        kernel(
            t, q.ctypes, v.ctypes, a.ctypes, lam.ctypes, w.ctypes, p.ctypes, m.ctypes, out.ctypes
        )


@separate(types.void(types.int64, FACTORS, REAL_ARRAY))
def _factorise(count: int, factors: Factors, values: FloatArray) -> None:
    for _ in range(count):
        factorise(factors, values)


@separate(types.void(types.int64, FACTORS, REAL_ARRAY, REAL_ARRAY))
def _solve(count: int, factors: Factors, rhs: FloatArray, x: FloatArray) -> None:
    for _ in range(count):
        solve(factors, rhs, x)


@separate(types.void(types.int64, KERNELS, WORK, STATE, PROGRESS))
def _monitor(count: int, kernels: Any, work: Any, state: State, progress: Any) -> None:
    for _ in range(count):
        monitor(kernels, work, state, progress)


@separate(types.void(types.int64, KERNELS, WORK, STATE, PROGRESS))
def _monitor_left(count: int, kernels: Any, work: Any, state: State, progress: Any) -> None:
    for _ in range(count):
        monitor_left(kernels, work, state, progress)


@separate(types.void(types.int64, KERNELS, WORK, STATE, PROGRESS, RECORD))
def _write(count: int, kernels: Any, work: Any, state: State, progress: Any, record: Any) -> None:
    for _ in range(count):
        record_state(kernels, work, state, progress, record, 0)
